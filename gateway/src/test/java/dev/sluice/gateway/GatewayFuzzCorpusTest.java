package dev.sluice.gateway;

import dev.sluice.gateway.acme.FleetDocumentFuzzer;
import dev.sluice.gateway.acme.PemTextFuzzer;
import dev.sluice.gateway.admin.AdminRequestFuzzer;
import dev.sluice.gateway.backend.HealthStatusFuzzer;
import dev.sluice.gateway.control.AdminLineFuzzer;
import dev.sluice.gateway.earlydata.SafeRequestFuzzer;
import dev.sluice.gateway.ocsp.OcspResponseFuzzer;
import dev.sluice.gateway.plainhttp.PlainRequestFuzzer;
import dev.sluice.gateway.proxyprotocol.ProxyHeaderFuzzer;
import dev.sluice.gateway.restart.PassedAddressFuzzer;
import dev.sluice.gateway.tickets.TicketKeyFuzzer;
import dev.sluice.testkit.FuzzCorpusTests;
import dev.sluice.testkit.FuzzTarget;
import java.util.List;

/** A run of the gateway's fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class GatewayFuzzCorpusTest implements FuzzCorpusTests {
    @Override
    public List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("proxy_header", ProxyHeaderFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("plain_request", PlainRequestFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("early_request", SafeRequestFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("admin_request", AdminRequestFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("ocsp_response", OcspResponseFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("pem_text", PemTextFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("fleet_document", FleetDocumentFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("ticket_keys", TicketKeyFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("passed_address", PassedAddressFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("health_status", HealthStatusFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("admin_line", AdminLineFuzzer::fuzzerTestOneInput));
    }
}
