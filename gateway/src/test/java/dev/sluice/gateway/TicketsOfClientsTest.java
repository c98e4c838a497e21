package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the number of tickets that {@code openssl s_client} gets, and of their lifetime. */
class TicketsOfClientsTest extends GatewayConformance {
    private static final String TICKET = "Post-Handshake New Session Ticket arrived";
    private static final String GREETING = "hello from behind";

    private final ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void asManyAsConfiguredAfterAFullHandshakeAndOneAfterAResumedOne(int count) {
        Gateway gateway = gateway(Copies.of(TicketConfig.DEFAULT).count(count).build());
        String session = directory.resolve("session.pem").toString();

        String full = client(gateway, "-tls1_3", "-sess_out", session);
        String resumed = client(gateway, "-tls1_3", "-sess_in", session);

        assertThat(full).contains("New, TLSv1.3", GREETING);
        assertThat(full.split(TICKET, -1)).hasSize(1 + count);
        assertThat(resumed).contains("Reused, TLSv1.3", GREETING);
        assertThat(resumed.split(TICKET, -1)).hasSize(1 + 1);
    }

    /** The key lives on for a day; it is the session that is too old. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aSessionThatIsTooOldIsNotResumed(String version) throws InterruptedException {
        Gateway gateway = gateway(new TicketConfig(Duration.ofDays(1), Duration.ofSeconds(1)));
        String session = directory.resolve("session.pem").toString();
        assertThat(client(gateway, version, "-sess_out", session)).contains("New, TLSv1", GREETING);

        Thread.sleep(2_500); // libssl counts seconds, and a session's last one counts
        assertThat(client(gateway, version, "-sess_in", session)).contains("New, TLSv1", GREETING);
    }

    private Gateway gateway(TicketConfig tickets) {
        GatewayConfig config = fixture.config(route(backend(
                "greeter",
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.saying(GREETING)).address())));
        return fixture.start(Copies.of(config).tickets(tickets).build());
    }

    private String client(Gateway gateway, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "s_client",
                "-ign_eof",
                "-connect",
                "127.0.0.1:" + gateway.addresses().getFirst().getPort(),
                "-servername",
                "localhost",
                "-CAfile",
                TestCertificates.shared().rootFile().toString()));
        all.addAll(List.of(more));
        ForeignResult result =
                openssl.command(all.toArray(String[]::new)).input("hello\n").run();
        return result.output() + result.errors();
    }
}
