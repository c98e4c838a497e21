package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/**
 * Clients and backends that break the rules or break down: each is counted under its reason, in bounded time, nothing
 * leaks, and the next client is served.
 */
class GatewayHardshipTest extends GatewayConformance {
    /** The start of a TLS 1.3 ClientHello: a record header that promises 512 bytes, and a few of them. */
    private static final byte[] HALF_HELLO = HexFormat.of().parseHex("16030102000100" + "01fc0303" + "00".repeat(32));

    // --- clients
    // ------------------------------------------------------------------------------------------------------

    @Test
    void plainHttp() throws Exception {
        Gateway gateway = echoing();

        sendAndAwaitEnd(gateway, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));

        awaitEnds(gateway, "handshake_http_request", 1);
        assertThat(fixture.lines()).anyMatch(line -> line.contains("the client speaks plain HTTP to a TLS port"));
        assertServes(gateway);
    }

    @Test
    void randomBytes() throws Exception {
        Gateway gateway = echoing();
        Random random = new Random(11);
        for (int i = 0; i < 20; i++) {
            byte[] bytes = new byte[1 + random.nextInt(3000)];
            random.nextBytes(bytes);
            bytes[0] = 0;
            sendAndAwaitEnd(gateway, bytes);
        }

        awaitHandshakeFailures(gateway, 20);
        assertServes(gateway);
    }

    @Test
    void halfAHelloAndThenNothing() throws Exception {
        Gateway gateway = fixture.before(
                fixture.closing(TestBackend.echoing()),
                limits -> Copies.of(limits)
                        .handshakeTimeout(Duration.ofMillis(300))
                        .build());

        sendAndAwaitEnd(gateway, HALF_HELLO);

        awaitEnds(gateway, "handshake_timeout", 1);
        assertServes(gateway);
    }

    @Test
    void aHandshakeInSingleBytes() throws Exception {
        Gateway gateway = echoing();

        try (DripSocket drip = DripSocket.to(gateway.addresses().getFirst());
                SSLSocket client = TlsClient.plain().over(drip)) {
            assertEchoes(client);
        }

        awaitEnds(gateway, "completed", 1);
    }

    @Test
    void aConnectionThatEndsWithoutAByte() throws Exception {
        Gateway gateway = echoing();

        TlsClient.plainSocket(address(gateway)).close();

        awaitHandshakeFailures(gateway, 1);
        assertServes(gateway);
    }

    @Test
    void aResetAtAnyMoment() throws Exception {
        Gateway gateway = echoing();
        int rounds = 12;
        for (int length = 0; length < rounds; length++) {
            Socket socket = TlsClient.plainSocket(address(gateway));
            socket.getOutputStream().write(HALF_HELLO, 0, length * HALF_HELLO.length / rounds);
            TlsClient.reset(socket);
        }
        for (int i = 0; i < rounds; i++) {
            Socket socket = TlsClient.plainSocket(address(gateway));
            SSLSocket client = TlsClient.plain().over(socket);
            client.getOutputStream().write(new byte[i * 10_000]);
            TlsClient.reset(socket);
        }

        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTIONS) == 0,
                () -> "still open: " + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
        assertThat(gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "completed"))
                .isZero();
        assertServes(gateway);
    }

    @Test
    void aStreamThatIsCutOffIsNoCleanEndForTheBackend() throws Exception {
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(socket -> ends.add(howItEnds(socket)))));
        Socket socket = TlsClient.plainSocket(address(gateway));
        SSLSocket client = TlsClient.plain().over(socket);
        client.getOutputStream().write(7);

        socket.close(); // FIN without close_notify

        assertThat(ends.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("reset");
        awaitEnds(gateway, "client_truncated", 1);
    }

    private static String howItEnds(Socket socket) {
        try (InputStream input = socket.getInputStream()) {
            input.transferTo(OutputStream.nullOutputStream());
            return "clean";
        } catch (IOException reset) {
            return "reset";
        }
    }

    @Test
    void moreConnectionsThanTheLimit() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()), limits -> limits.withConnections(2));
        SSLSocket first = TlsClient.plain().connect(address(gateway));
        SSLSocket second = TlsClient.plain().connect(address(gateway));

        assertThatThrownBy(() -> TlsClient.plain().connect(address(gateway))).isInstanceOf(IOException.class);

        awaitEnds(gateway, "connection_limit", 1);
        assertThat(fixture.lines()).anyMatch(line -> line.contains("raise limits.connections"));
        first.close();
        Waiting.until(LIMIT, () -> gateway.metrics().count(Metric.CONNECTIONS) == 1, () -> "the first is still open");
        assertServes(gateway);
        assertEchoes(second);
        second.close();
    }

    @Test
    void moreConnectionsFromOneAddressThanTheLimit() throws Exception {
        Gateway gateway = fixture.before(
                fixture.closing(TestBackend.echoing()),
                limits -> Copies.of(limits).connectionsPerAddress(1).build());
        try (SSLSocket first = TlsClient.plain().connect(address(gateway))) {
            assertThatThrownBy(() -> TlsClient.plain().connect(address(gateway)))
                    .isInstanceOf(IOException.class);
            assertEchoes(first);
        }

        awaitEnds(gateway, "address_limit", 1);
        awaitEnds(gateway, "completed", 1);
        assertServes(gateway);
    }

    @Test
    void aClientThatGoesQuiet() throws Exception {
        Gateway gateway = fixture.before(
                fixture.closing(TestBackend.echoing()),
                limits -> Copies.of(limits).idleTimeout(Duration.ofMillis(300)).build());
        try (SSLSocket client = TlsClient.plain().connect(address(gateway))) {
            assertEchoes(client);
            awaitEnds(gateway, "idle_timeout", 1);
        }
    }

    // --- backends
    // -----------------------------------------------------------------------------------------------------

    @Test
    void aBackendThatRefuses() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
        Gateway gateway = fixture.start(fixture.config(route(backend("gone", ProxyProtocol.NONE, nobody))));

        assertEndsWithoutAnswer(gateway);

        awaitEnds(gateway, "backend_connection_refused", 1);
        assertThat(fixture.lines()).anyMatch(line -> line.contains("backend gone: "));
    }

    @Test
    void aBackendThatDoesNotAccept() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
            List<Socket> queue = fill(address);
            Gateway gateway = fixture.start(fixture.config(route(backend("full", ProxyProtocol.NONE, address))));

            assertEndsWithoutAnswer(gateway);

            awaitEnds(gateway, "backend_connect_timeout", 1);
            for (Socket waiting : queue) {
                waiting.close();
            }
        }
    }

    @Test
    void aClientThatLeavesWhileTheBackendIsBeingReached() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
            List<Socket> queue = fill(address);
            Gateway gateway = fixture.start(fixture.config(route(backend("full", ProxyProtocol.NONE, address))));

            Socket socket = TlsClient.plainSocket(address(gateway));
            TlsClient.plain().over(socket);
            TlsClient.reset(socket);

            Waiting.until(
                    LIMIT,
                    () -> gateway.metrics().count(Metric.CONNECTIONS) == 0,
                    () -> "still open: " + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
            for (Socket waiting : queue) {
                waiting.close();
            }
        }
    }

    @Test
    void aBackendThatClosesAtOnce() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(socket -> {})));

        try (SSLSocket client = TlsClient.plain().connect(address(gateway))) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }

        awaitEnds(gateway, "completed", 1);
    }

    @Test
    void aBackendThatResets() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(socket -> {
            socket.getOutputStream().write(1);
            socket.getInputStream().read();
            TlsClient.reset(socket);
        })));

        try (SSLSocket client = TlsClient.plain().connect(address(gateway))) {
            assertThat(client.getInputStream().read()).isEqualTo(1);
            client.getOutputStream().write(2);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
        }

        awaitEnds(gateway, "backend_connection_reset", 1);
    }

    @Test
    void aBackendThatHalfCloses() throws Exception {
        BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
        Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(socket -> {
            socket.getOutputStream().write(new byte[100_000]);
            socket.shutdownOutput();
            received.add(socket.getInputStream().readAllBytes().length);
        })));

        try (SSLSocket client = TlsClient.plain().speaking("TLSv1.3").connect(address(gateway))) {
            assertThat(client.getInputStream().readAllBytes()).hasSize(100_000);
            client.getOutputStream().write(new byte[300_000]);
            client.shutdownOutput();
            assertThat(received.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(300_000);
        }

        awaitEnds(gateway, "completed", 1);
    }

    // --- start and end
    // ------------------------------------------------------------------------------------------------

    @Test
    void aPortInUse() throws Exception {
        Gateway first = echoing();
        GatewayConfig config = fixture.config(
                route(backend("any", ProxyProtocol.NONE, address(first)))); // another gateway on the same port
        ListenerConfig listener = config.listeners().getFirst();
        ListenerConfig taken = new ListenerConfig(
                address(first),
                listener.certificates(),
                listener.alpn(),
                listener.tls(),
                listener.routes(),
                "sluice.yaml:2:14");

        assertThatThrownBy(() -> fixture.start(fixture.config(taken)))
                .isInstanceOf(GatewayStartException.class)
                .hasMessageStartingWith(
                        "sluice.yaml:2:14: address 127.0.0.1:" + address(first).getPort() + " is in use; ");
        assertServes(first);
    }

    @Test
    void drainingLetsOpenConnectionsFinish() throws Exception {
        Gateway gateway = echoing();
        SSLSocket open = TlsClient.plain().connect(address(gateway));
        assertEchoes(open);
        BlockingQueue<Boolean> drained = new LinkedBlockingQueue<>();
        Thread.ofPlatform().start(() -> drained.add(drain(gateway, LIMIT)));

        Waiting.until(LIMIT, () -> !accepts(gateway), () -> "still accepts");
        assertEchoes(open);
        assertThat(drained).isEmpty();
        open.close();

        assertThat(drained.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        awaitEnds(gateway, "completed", 1);
    }

    @Test
    void drainingCutsOffWhatDoesNotFinish() throws Exception {
        Gateway gateway = echoing();
        try (SSLSocket open = TlsClient.plain().connect(address(gateway));
                Socket inHandshake = TlsClient.plainSocket(address(gateway))) {
            assertEchoes(open);
            inHandshake.getOutputStream().write(HALF_HELLO);
            Waiting.until(LIMIT, () -> gateway.metrics().count(Metric.CONNECTIONS) == 2, () -> "not accepted");

            assertThat(gateway.drain(Duration.ofMillis(100))).isFalse();

            awaitEnds(gateway, "drain_timeout", 2);
            assertThat(gateway.metrics().count(Metric.CONNECTIONS)).isZero();
        }
    }

    private static boolean drain(Gateway gateway, Duration grace) {
        try {
            return gateway.drain(grace);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean accepts(Gateway gateway) {
        try (Socket socket = TlsClient.plainSocket(address(gateway))) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    // --- what tests share
    // ---------------------------------------------------------------------------------------------

    private Gateway echoing() {
        return fixture.before(fixture.closing(TestBackend.echoing()));
    }

    /** The next client is served as if nothing had happened. */
    private static void assertServes(Gateway gateway) throws IOException {
        try (SSLSocket client = TlsClient.plain().connect(address(gateway))) {
            assertEchoes(client);
        }
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        client.getOutputStream().write(42);
        assertThat(client.getInputStream().read()).isEqualTo(42);
    }

    private static void assertEndsWithoutAnswer(Gateway gateway) throws IOException {
        try (SSLSocket client = TlsClient.plain().connect(address(gateway))) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static void sendAndAwaitEnd(Gateway gateway, byte[] bytes) throws IOException {
        try (Socket socket = TlsClient.plainSocket(address(gateway))) {
            socket.getOutputStream().write(bytes);
            howItEnds(socket);
        }
    }

    private static void awaitHandshakeFailures(Gateway gateway, long count) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES) == count,
                () -> "ends are " + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
        assertThat(gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason").keySet())
                .allMatch(reason -> reason.startsWith("handshake_"));
    }

    /** Fills the queue of a listener that accepts nobody, so that the kernel leaves further connects unanswered. */
    private static List<Socket> fill(InetSocketAddress full) throws IOException {
        List<Socket> queue = new ArrayList<>();
        while (true) {
            Socket socket = new Socket();
            queue.add(socket);
            try {
                socket.connect(full, 200);
            } catch (SocketTimeoutException unanswered) {
                return queue;
            }
        }
    }

    private static InetSocketAddress address(Gateway gateway) {
        return gateway.addresses().getFirst();
    }
}
