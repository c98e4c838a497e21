package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** SIGTERM: no new connections, open ones finish within the grace period, exit code 0. */
class DrainTest extends GatewayTest {
    @Test
    void openConnectionsFinishAndNewOnesAreRefused() throws IOException {
        GatewayProcess gateway = gateway(Backend.echoing());
        try (SSLSocket open = TlsClient.connect(gateway.port())) {
            assertEchoes(open, 1);
            gateway.program().terminate();
            Waiting.until(LONG, () -> !accepts(gateway), () -> "still accepts: " + gateway.log());

            assertEchoes(open, 2);
            assertThat(gateway.program().isRunning()).isTrue();
        }
        ForeignResult result = gateway.program().awaitExit(LONG);
        assertThat(result.exitCode()).as(result.toString()).isZero();
    }

    @Test
    void whatDoesNotFinishIsCutAtTheEndOfTheGracePeriod() throws IOException {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(Backend.echoing()), transport).with("drain: 500ms"));
        try (SSLSocket open = TlsClient.connect(gateway.port())) {
            assertEchoes(open, 1);

            ForeignResult result = gateway.stop();

            assertThat(result.exitCode()).as(result.toString()).isZero();
        }
    }

    @Test
    void withoutConnectionsItStopsAtOnce() {
        GatewayProcess gateway = gateway(Backend.echoing());

        assertThat(gateway.stop().exitCode()).isZero();
    }

    private static boolean accepts(GatewayProcess gateway) {
        try (Socket socket = TlsClient.raw(gateway.port())) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    private static void assertEchoes(SSLSocket client, int value) throws IOException {
        client.getOutputStream().write(value);
        assertThat(client.getInputStream().read()).isEqualTo(value);
    }
}
