package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.ConfigSchema;
import dev.sluice.interop.fixture.Documents.Document;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The JSON Schema of configurations, by a validator of others: it is one, it takes every configuration that is
 * documented (and, by {@link ConfigSchema#require}, every one that a test serves), and refuses what the gateway
 * refuses.
 */
class ConfigSchemaTest {
    @Test
    void itIsASchemaOfItsDraft() {
        assertThat(ConfigSchema.complaintsOfItself()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.interop.fixture.Documents#withConfigurations")
    void itTakesWhatThePagesShow(Document page) {
        assertThat(page.configurations())
                .allSatisfy(
                        example -> assertThat(ConfigSchema.complaints(example)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tickets: off",
                "tickets: {rotate: 1h, keep: 2h, count: 4}",
                "tickets: {store: \"rediss://u:p@h:1/2?key=a\", fleet-key: k, poll: 2s, store-ca: c, shared-with:"
                        + " none}",
                "include: [conf.d/*.yaml]",
                "loops: ${LOOPS:-4}",
                "drain: \"${DRAIN}\"",
                "transport: io_uring",
                "limits: {held-bytes: 64KiB, connections: 5, idle-timeout: 0s}",
                "alerts: on",
                "alerts: {hold: 5s, resumption-ratio: 0.8, rsa-ratio: off, staple-expiry: off, backend-down: off,"
                        + " command: [a, b]}"
            })
    void itTakesWhatTheReadersTake(String line) {
        String yaml = GatewaySetup.before("127.0.0.1:1", Transport.EPOLL).yaml().replace("transport: epoll\n", "");

        assertThat(ConfigSchema.complaints(yaml + line + "\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "drian: 5s; drian",
                "drain: 5 seconds; drain",
                "drain: 5; drain",
                "loops: 0; loops",
                "loops: many; loops",
                "transport: kqueue; transport",
                "tickets: {wheel: 1h}; wheel",
                "limits: {held-bytes: 64KB}; held-bytes",
                "alerts: sometimes; alerts",
                "alerts: {resumption-ratio: 1.5}; resumption-ratio",
                "alerts: {certificate-expiry: 14}; certificate-expiry",
                "alerts: {resumtion-ratio: 0.7}; resumtion-ratio"
            })
    void itRefusesWhatTheReadersRefuse(String line, String named) {
        String yaml = GatewaySetup.before("127.0.0.1:1", Transport.EPOLL).yaml().replace("transport: epoll\n", "");

        assertThat(ConfigSchema.complaints(yaml + line + "\n"))
                .isNotEmpty()
                .anySatisfy(complaint -> assertThat(complaint).contains(named));
    }

    @Test
    void aListenerNeedsAnAddressAndOneWayToABackend() {
        String yaml = GatewaySetup.before("127.0.0.1:1", Transport.EPOLL).yaml();

        assertThat(ConfigSchema.complaints(
                        yaml.replace("  - address: 127.0.0.1:0\n    certificates", "  - certificates")))
                .isNotEmpty();
        assertThat(ConfigSchema.complaints(yaml.replace("    backend: main\n", "")))
                .isNotEmpty();
        assertThat(ConfigSchema.complaints(yaml.replace("    backend: main\n", "    routes: [{sni: a}]\n")))
                .isNotEmpty();
    }
}
