package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.RouteTls;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients and servers that break, stall or flood where TLS is passed through: named ends, and nothing is held. */
class PassthroughHardshipTest extends GatewayConformance {
    private static final byte[] HALF_HELLO = {22, 3, 1, 2, 0, 1};
    private static final byte[] HELLO = hello();
    private static final int MANY = 20;

    // --- bytes ------------------------------------------------------------------------------------------------------

    /** A client with early data, or one that does not wait: all is relayed as it came, and half-closed in turn. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 16_384, 1_000_000})
    void relaysEveryByteOnceAndInOrder(int firstPiece) throws Exception {
        byte[] sent = Arrays.copyOf(HELLO, HELLO.length + 500_000);
        byte[] noise = new byte[500_000];
        new Random(firstPiece).nextBytes(noise);
        System.arraycopy(noise, 0, sent, HELLO.length, noise.length);
        Gateway gateway = passing(TestBackend.serving(socket -> {
            byte[] all = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(digest(all));
        }));
        try (Socket client = TlsClient.plainSocket(address(gateway))) {
            int first = Math.min(firstPiece, sent.length);
            client.getOutputStream().write(sent, 0, first);
            awaitAccepted(gateway, 1);
            client.getOutputStream().write(sent, first, sent.length - first);
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(digest(sent));
        }
        awaitEnds(gateway, "completed", 1);
        assertThat(gateway.metrics().count(Metric.CONNECTION_BYTES, "direction", "to_backend"))
                .isEqualTo(sent.length);
    }

    @Test
    void passesOnTheEndOfTheServer() throws Exception {
        BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
        Gateway gateway = passing(TestBackend.serving(socket -> {
            socket.getInputStream().readNBytes(HELLO.length);
            socket.getOutputStream().write(new byte[100_000]);
            socket.shutdownOutput();
            received.add(socket.getInputStream().readAllBytes().length);
        }));
        try (Socket client = TlsClient.plainSocket(address(gateway))) {
            client.getOutputStream().write(HELLO);
            assertThat(client.getInputStream().readAllBytes()).hasSize(100_000);
            client.getOutputStream().write(new byte[300_000]);
            client.shutdownOutput();
            assertThat(received.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(300_000);
        }
        awaitEnds(gateway, "completed", 1);
    }

    @Test
    void passesOnResets() throws Exception {
        Gateway gateway = passing(TestBackend.serving(socket -> {
            socket.getInputStream().readNBytes(HELLO.length);
            if (socket.getInputStream().read() == 1) {
                TlsClient.reset(socket);
            }
        }));
        try (Socket client = TlsClient.plainSocket(address(gateway))) {
            client.getOutputStream().write(HELLO);
            client.getOutputStream().write(1);
            awaitEnds(gateway, "backend_connection_reset", 1);
            assertThat(read(client.getInputStream())).isEqualTo("reset");
        }
        Socket other = TlsClient.plainSocket(address(gateway));
        other.getOutputStream().write(HELLO);
        Waiting.until(LIMIT, () -> passed(gateway) == 2, () -> "not passed");
        TlsClient.reset(other);
        awaitEnds(gateway, "client_connection_reset", 1);
    }

    // --- ClientHellos that are none ---------------------------------------------------------------------------------

    /** A message of 16 MiB and one of 16 KiB are announced; records of a byte each come to more than is awaited. */
    @ParameterizedTest
    @CsvSource({"true, 0xffffff", "false, 0xffffff", "true, 16384", "false, 16384", "true, 5000", "false, 5000"})
    void endsAnOversizedClientHello(boolean terminates, String message) throws Exception {
        Gateway gateway = fixture.start(fixture.config(listener(terminates, echo(TestBackend.echoing()))));
        int bytes = Integer.decode(message);
        byte[] header = ByteBuffer.allocate(4).putInt((1 << 24) | bytes).array();
        byte[] hello = {22, 3, 1, 64, 0, header[0], header[1], header[2], header[3]};
        assertThat(exchange(gateway, bytes == 5000 ? inRecordsOfAByte(header, bytes) : hello))
                .startsWith(new byte[] {21, 3, 3, 0, 2, 2, 47});
        awaitEnds(gateway, "handshake_message_too_long", 1);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES, "reason", "message_too_long"))
                .isEqualTo(1);
        assertThat(passed(gateway)).isZero();
    }

    /** Bytes behind a ClientHello in pieces must fit into a buffer with it, where it is answered. */
    @Test
    void endsAClientHelloInPiecesBeforeTooManyBytes() throws Exception {
        RouteConfig elsewhere = new RouteConfig(
                new ServerNamePattern("other.example"), "", echo(TestBackend.echoing()), RouteTls.PASSTHROUGH);
        Gateway gateway = fixture.start(fixture.config(GatewayFixture.listener(
                List.of("h2"), TlsOptions.DEFAULT, elsewhere, RouteConfig.toAll(elsewhere.backend()))));
        try (Socket client = TlsClient.plainSocket(address(gateway))) {
            client.getOutputStream().write(HELLO, 0, HELLO.length - 1);
            awaitAccepted(gateway, 1);
            byte[] rest = new byte[20_000];
            rest[0] = HELLO[HELLO.length - 1];
            client.getOutputStream().write(rest);
            assertThat(read(client.getInputStream())).isNotEqualTo("open");
        }
        Waiting.until(LIMIT, () -> gateway.metrics().sum(Metric.TLS_HANDSHAKE_FAILURES) == 1, () -> ends(gateway));
    }

    @ParameterizedTest
    @CsvSource({"0, handshake_closed_before_handshake", "1, handshake_truncated", "100, handshake_truncated"})
    void endsATruncatedClientHello(int length, String reason) throws Exception {
        Gateway gateway = passing(TestBackend.echoing());
        try (Socket client = TlsClient.plainSocket(address(gateway))) {
            client.getOutputStream().write(HELLO, 0, length);
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).isEmpty();
        }
        awaitEnds(gateway, reason, 1);
    }

    @Test
    void endsAClientThatResetsInItsClientHello() throws Exception {
        Gateway gateway = passing(TestBackend.echoing());
        Socket client = TlsClient.plainSocket(address(gateway));
        client.getOutputStream().write(HALF_HELLO);
        awaitAccepted(gateway, 1);
        TlsClient.reset(client);
        awaitEnds(gateway, "handshake_connection_reset", 1);
    }

    // --- what waits -------------------------------------------------------------------------------------------------

    @Test
    void aStalledClientHelloHoldsNoBuffer() throws Exception {
        Gateway gateway = fixture.start(limited(
                echo(TestBackend.echoing()),
                limits -> Copies.of(limits)
                        .handshakeTimeout(Duration.ofSeconds(2))
                        .build()));
        double before = gateway.metrics().sum(Metric.LOOP_BUFFERS_LEASED);
        List<Socket> stalled = send(gateway, HALF_HELLO);
        awaitAccepted(gateway, MANY);
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().sum(Metric.LOOP_BUFFERS_LEASED) <= before,
                () -> "leased: " + gateway.metrics().sum(Metric.LOOP_BUFFERS_LEASED));
        awaitEnds(gateway, "handshake_timeout", MANY);
        close(stalled);
    }

    @Test
    void aClientWhoseServerDoesNotAnswerHoldsNoBuffer() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
            List<Socket> queue = fill(address);
            Gateway gateway =
                    fixture.start(fixture.config(listener(false, backend("full", ProxyProtocol.NONE, address))));
            double before = gateway.metrics().sum(Metric.LOOP_BUFFERS_LEASED);
            List<Socket> clients = send(gateway, HELLO);
            Waiting.until(LIMIT, () -> passed(gateway) == MANY, () -> "passed: " + passed(gateway));
            assertThat(gateway.metrics().sum(Metric.LOOP_BUFFERS_LEASED)).isLessThanOrEqualTo(before);
            awaitEnds(gateway, "backend_connect_timeout", MANY);
            close(clients);
            close(queue);
        }
    }

    @Test
    void endsAnIdleConnection() throws Exception {
        Gateway gateway = fixture.start(limited(
                echo(TestBackend.echoing()),
                limits -> Copies.of(limits).idleTimeout(Duration.ofMillis(300)).build()));
        try (Socket client = echoed(gateway)) {
            assertThat(read(client.getInputStream())).isEqualTo("reset");
            awaitEnds(gateway, "idle_timeout", 1);
        }
    }

    // --- limits -----------------------------------------------------------------------------------------------------

    @Test
    void countsTowardTheLimitsOfConnections() throws Exception {
        ListenerConfig one = Copies.of(listener(false, echo(TestBackend.echoing())))
                .acceptPolicy(new AcceptPolicy(List.of(), 1, Duration.ZERO, false, false))
                .build();
        Gateway gateway = fixture.start(fixture.config(one));
        for (int round = 1; round <= 2; round++) {
            try (Socket first = echoed(gateway);
                    Socket second = TlsClient.plainSocket(address(gateway))) {
                assertThat(read(second.getInputStream())).isNotEqualTo("open");
                awaitEnds(gateway, "listener_limit", round);
                assertThat(first.isClosed()).isFalse();
            }
            awaitEnds(gateway, "completed", round);
        }
    }

    @Test
    void countsTowardTheRateOfItsAddress() throws Exception {
        Gateway gateway = fixture.start(limited(
                echo(TestBackend.echoing()),
                limits -> Copies.of(limits)
                        .handshakes(Copies.of(HandshakeLimits.DEFAULT)
                                .perAddressPerSecond(2)
                                .build())
                        .build()));
        for (int i = 0; gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "handshake_address_rate") == 0; i++) {
            assertThat(i).as("connections").isLessThan(1000);
            try (Socket client = TlsClient.plainSocket(address(gateway))) {
                client.getOutputStream().write(HELLO);
                client.shutdownOutput();
                read(client.getInputStream());
            }
        }
    }

    // --- drain ------------------------------------------------------------------------------------------------------

    @Test
    void drainingLetsConnectionsFinish() throws Exception {
        Gateway gateway = passing(TestBackend.echoing());
        BlockingQueue<Boolean> drained = new LinkedBlockingQueue<>();
        try (Socket client = echoed(gateway)) {
            Thread.ofPlatform().start(() -> drained.add(drain(gateway, LIMIT)));
            Waiting.until(LIMIT, gateway::isEnding, () -> "no drain");
            client.getOutputStream().write(HELLO);
            assertThat(client.getInputStream().readNBytes(HELLO.length)).isEqualTo(HELLO);
            assertThat(drained).isEmpty();
        }
        assertThat(drained.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        awaitEnds(gateway, "completed", 1);
    }

    @Test
    void drainingCutsOffWhatDoesNotFinish() throws Exception {
        Gateway gateway = passing(TestBackend.echoing());
        try (Socket open = echoed(gateway);
                Socket half = TlsClient.plainSocket(address(gateway))) {
            half.getOutputStream().write(HALF_HELLO);
            awaitAccepted(gateway, 2);
            assertThat(drain(gateway, Duration.ofMillis(100))).isFalse();
            awaitEnds(gateway, "drain_timeout", 2);
            assertThat(read(open.getInputStream())).isEqualTo("reset");
        }
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private Gateway passing(TestBackend server) {
        return fixture.start(fixture.config(listener(false, echo(server))));
    }

    private GatewayConfig limited(BackendConfig to, UnaryOperator<LimitsConfig> limits) {
        return Copies.of(fixture.config(listener(false, to)))
                .limits(limits.apply(LimitsConfig.DEFAULT))
                .build();
    }

    private BackendConfig echo(TestBackend server) {
        return backend("server", ProxyProtocol.NONE, fixture.closing(server).address());
    }

    private static ListenerConfig listener(boolean terminates, BackendConfig to) {
        RouteConfig all = new RouteConfig(ServerNamePattern.ANY, "", to, RouteTls.PASSTHROUGH);
        return terminates
                ? GatewayFixture.listener(List.of("h2"), TlsOptions.DEFAULT, all)
                : GatewayFixture.listener(List.of(), List.of(), TlsOptions.DEFAULT, all);
    }

    private static Socket echoed(Gateway gateway) throws IOException {
        Socket client = TlsClient.plainSocket(address(gateway));
        client.getOutputStream().write(HELLO);
        assertThat(client.getInputStream().readNBytes(HELLO.length)).isEqualTo(HELLO);
        return client;
    }

    private static List<Socket> send(Gateway gateway, byte[] bytes) throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Socket client = TlsClient.plainSocket(address(gateway));
            client.getOutputStream().write(bytes);
            clients.add(client);
        }
        return clients;
    }

    private static byte[] exchange(Gateway gateway, byte[] bytes) throws IOException {
        try (Socket client = TlsClient.plainSocket(address(gateway))) {
            client.getOutputStream().write(bytes);
            return client.getInputStream().readNBytes(7);
        }
    }

    /** Returns how a stream ends. */
    private static String read(InputStream input) {
        try {
            return input.readAllBytes() == null ? "" : "end";
        } catch (SocketTimeoutException silent) {
            return "open";
        } catch (IOException reset) {
            return "reset";
        }
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

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

    private static void awaitAccepted(Gateway gateway, long count) {
        Waiting.until(LIMIT, () -> gateway.metrics().count(Metric.CONNECTIONS_ACCEPTED) >= count, () -> "not accepted");
    }

    private static long passed(Gateway gateway) {
        return gateway.metrics().count(Metric.PASSTHROUGH_CONNECTIONS);
    }

    private static String ends(Gateway gateway) {
        return gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason").toString();
    }

    private static boolean drain(Gateway gateway, Duration grace) {
        try {
            return gateway.drain(grace);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static InetSocketAddress address(Gateway gateway) {
        return gateway.addresses().getFirst();
    }

    private static byte[] digest(byte[] bytes) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    private static byte[] inRecordsOfAByte(byte[] header, int message) {
        ByteBuffer out = ByteBuffer.allocate(6 * (header.length + message));
        for (int i = 0; out.hasRemaining(); i++) {
            out.put(new byte[] {22, 3, 1, 0, 1, i < header.length ? header[i] : 0});
        }
        return out.array();
    }

    /** Returns a ClientHello of the JDK for localhost. */
    private static byte[] hello() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName("localhost")));
            engine.setSSLParameters(parameters);
            ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.allocate(0), record);
            return Arrays.copyOf(record.array(), record.position());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
