package dev.sluice.bench.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.GatewayYaml;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.ForeignProgram;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that hostile clients are effective, and that a witness beside them is served. */
class HostileKindTest {
    private static final int CLIENTS = 2;

    @ParameterizedTest
    @EnumSource
    void everyKindIsEffective(HostileKind kind) throws Exception {
        ForeignProgram.required("openssl", "openssl");
        int port = Ports.free();
        try (HostileBackend backend = HostileBackend.start();
                Site site = Site.create(Cores.choose(), Optional.empty());
                OpenSslCheck check = new OpenSslCheck();
                Gateway gateway = Gateway.start(
                        ConfigFile.read(config(site, port, backend.port()), check), GatewayLog.NONE, check);
                Witness witness = Witness.connect(port);
                HostileClients clients = new HostileClients(port)) {
            witness.start();
            for (int number = 0; number < CLIENTS; number++) {
                attack(kind, clients, number);
            }

            assertThat(witness.stop()).contains("p50=", "p99=", "count=");
            assertThat(clients.connected()).isEqualTo(CLIENTS);
            assertThat(clients.handshakes()).isEqualTo(kind.shakesHands() ? CLIENTS : 0);
            assertThat(gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "handshake_internal_error"))
                    .isZero();
        }
    }

    @Test
    void titlesAreOptions() {
        assertThat(HostileKind.RENEGOTIATION_AFTER_CLOSE).hasToString("renegotiation-after-close");
    }

    /** Runs an attack; the gateway may end it, but must do so in time. */
    private static void attack(HostileKind kind, HostileClients clients, int number) throws Exception {
        try {
            kind.attack().by(clients, number);
        } catch (IOException ended) {
            assertThat(ended).isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    private static Path config(Site site, int port, int backendPort) {
        return site.write(
                "gateway.yaml", GatewayYaml.of(site, "auto", port, backendPort) + "limits: {handshake-timeout: 1s}\n");
    }
}
