package dev.sluice.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Backends that refuse, hang, or end at the wrong moment: the client learns it, in time, and the right way. */
class BackendFaultTest extends GatewayTest {
    private static final byte[] REQUEST = "request".getBytes(US_ASCII);
    private static final byte[] RESPONSE = "response".getBytes(US_ASCII);

    @Test
    void aBackendThatRefusesEndsTheConnectionAndIsNamed() throws IOException {
        String nobody = "127.0.0.1:" + FreePort.onLoopback();
        GatewayProcess gateway = gateway(GatewaySetup.before(nobody, transport));

        assertEndsWithoutAnswer(gateway);

        Waiting.until(LONG, () -> gateway.log().contains(nobody), () -> "no word of " + nobody + ": " + gateway.log());
        assertEnds(gateway, Map.of("backend_connection_refused", 1L));
    }

    @Test
    void aBackendThatDoesNotAcceptIsGivenUpAfterTheConnectTimeout() throws IOException {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Socket> queue = fill(full);
            GatewayProcess gateway = gateway(GatewaySetup.before("127.0.0.1:" + full.getLocalPort(), transport)
                    .backendKey("connect-timeout: 300ms"));

            assertEndsWithoutAnswer(gateway);

            for (Socket waiting : queue) {
                waiting.close();
            }
            assertEnds(gateway, Map.of("backend_connect_timeout", 1L));
        }
    }

    @Test
    void aBackendThatNeverAnswersIsGivenUpAfterTheIdleTimeout() throws IOException {
        Backend hanging = Backend.serving(socket -> Thread.sleep(LONG));
        GatewayProcess gateway =
                gateway(GatewaySetup.before(backend(hanging), transport).with("limits: {idle-timeout: 500ms}"));

        assertEndsWithoutAnswer(gateway);
        assertEnds(gateway, Map.of("idle_timeout", 1L));
    }

    @Test
    void aBackendThatClosesAtOnceIsACleanEndForTheClient() throws IOException {
        GatewayProcess gateway = gateway(Backend.serving(socket -> {}));
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        assertEnds(gateway, Map.of("completed", 1L));
    }

    @Test
    void whatABackendSentBeforeItClosedArrivesAndThenACleanEnd() throws IOException {
        byte[] much = new byte[5_000_000];
        GatewayProcess gateway =
                gateway(Backend.serving(socket -> socket.getOutputStream().write(much)));
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            assertThat(client.getInputStream().readAllBytes()).hasSize(much.length);
        }
    }

    @Test
    void aBackendThatIsResetIsNotACleanEndForTheClient() throws IOException {
        GatewayProcess gateway = gateway(Backend.serving(socket -> {
            socket.getInputStream().readNBytes(REQUEST.length);
            socket.getOutputStream().write(RESPONSE);
            socket.getInputStream().readNBytes(REQUEST.length);
            TlsClient.reset(socket);
        }));
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            client.getOutputStream().write(REQUEST);
            assertThat(client.getInputStream().readNBytes(RESPONSE.length)).isEqualTo(RESPONSE);
            client.getOutputStream().write(REQUEST);

            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
        }
        assertEnds(gateway, Map.of("backend_connection_reset", 1L));
    }

    @Test
    void aBackendThatHalfClosesStillReceives() throws Exception {
        CompletableFuture<byte[]> received = new CompletableFuture<>();
        GatewayProcess gateway = gateway(Backend.serving(socket -> {
            socket.getOutputStream().write(RESPONSE);
            socket.shutdownOutput();
            received.complete(socket.getInputStream().readAllBytes());
        }));
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(RESPONSE);
            client.getOutputStream().write(new byte[3_000_000]);
            client.shutdownOutput();

            assertThat(received.get(LONG.toSeconds(), TimeUnit.SECONDS)).hasSize(3_000_000);
        }
        assertEnds(gateway, Map.of("completed", 1L));
    }

    @Test
    void aClientThatHalfClosesStillReceives() throws IOException {
        GatewayProcess gateway = gateway(Backend.serving(socket -> {
            long count = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            socket.getOutputStream().write(Long.toString(count).getBytes(US_ASCII));
        }));
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            client.getOutputStream().write(new byte[3_000_000]);
            client.shutdownOutput();

            assertThat(client.getInputStream().readAllBytes()).isEqualTo("3000000".getBytes(US_ASCII));
        }
        assertEnds(gateway, Map.of("completed", 1L));
    }

    /** The client's connection ends in a bounded time, cleanly or not, and nothing is answered. */
    private static void assertEndsWithoutAnswer(GatewayProcess gateway) throws IOException {
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            client.getOutputStream().write(REQUEST);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("the gateway keeps the connection open", e);
        } catch (IOException aborted) {
            assertThat(aborted).isNotNull();
        }
    }

    /** Fills the queue of a listener that accepts nobody, so that the kernel leaves further connects unanswered. */
    private static List<Socket> fill(ServerSocket full) throws IOException {
        List<Socket> queue = new ArrayList<>();
        while (true) {
            Socket socket = new Socket();
            queue.add(socket);
            try {
                socket.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()), 200);
            } catch (java.net.SocketTimeoutException e) {
                return queue;
            }
        }
    }
}
