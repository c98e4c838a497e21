package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Clients and servers that leave while the gateway receives nothing from them. */
final class DepartureTest extends GatewayConformance {
    private static final int CONNECTIONS = 100;
    private static final int SMALL_BUFFER = 64 * 1024;
    private static final byte[] PIECE = new byte[16 * 1024];
    private static final Duration VERY_LONG = Duration.ofMinutes(10);

    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong written = new AtomicLong();

    @Test
    void endsTheSessionWhenTheClientResetsAndTheBackendNeverReads() throws Exception {
        try (ServerSocket listener = narrowListener()) {
            Gateway gateway = stoppingEarly(TestBackend.servingAt(listener, socket -> over.await()));
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket raw = narrowSocket(gateway);
                clients.add(raw);
                SSLSocket client = TlsClient.plain().over(raw);
                Thread.ofPlatform().daemon().name("client").start(() -> writeWithoutEnd(client));
            }
            awaitStandstill();
            assertThat(gateway.metrics().count(Metric.CONNECTIONS)).isEqualTo(CONNECTIONS);
            resetAll(clients);
            awaitNoConnections(gateway);
            assertThat(gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "client_connection_reset"))
                    .isEqualTo(CONNECTIONS);
        } finally {
            over.countDown();
        }
    }

    @Test
    void endsTheSessionWhenTheBackendResetsAndTheClientNeverReads() throws Exception {
        Queue<Socket> servers = new ConcurrentLinkedQueue<>();
        TestBackend backend = TestBackend.serving(socket -> {
            servers.add(socket);
            writeWithoutEnd(socket);
        });
        Gateway gateway = stoppingEarly(backend);
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Socket raw = narrowSocket(gateway);
            clients.add(raw);
            TlsClient.plain().over(raw);
        }
        Waiting.until(LIMIT, () -> servers.size() == CONNECTIONS, () -> servers.size() + " connections");
        awaitStandstill();
        resetAll(servers);
        awaitNoConnections(gateway);
        assertThat(gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "backend_connection_reset"))
                .isEqualTo(CONNECTIONS);
        resetAll(clients);
    }

    /**
     * Its close_notify stands behind bytes that nobody has read yet: it may wait for an answer for as long as it likes.
     */
    @Test
    void servesAClientThatEndsItsSideWhileNothingMoves() throws Exception {
        try (ServerSocket listener = narrowListener()) {
            Gateway gateway = stoppingEarly(TestBackend.servingAt(listener, socket -> {
                over.await();
                long count = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                socket.getOutputStream().write(Long.toString(count).getBytes(US_ASCII));
            }));
            try (Socket raw = narrowSocket(gateway)) {
                SSLSocket client = TlsClient.plain().speaking("TLSv1.3").over(raw);
                int pieces = 8;
                for (int i = 0; i < pieces; i++) {
                    client.getOutputStream().write(PIECE);
                }
                client.shutdownOutput();
                Thread.sleep(500); // several times as long as it takes to notice that somebody has left
                over.countDown();
                assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
                        .isEqualTo(Integer.toString(pieces * PIECE.length));
            }
            awaitNoConnections(gateway);
        } finally {
            over.countDown();
        }
    }

    @Test
    void abandonsTheConnectWhenTheClientLeaves() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
            List<Socket> queue = fill(address);
            Gateway gateway = fixture.start(fixture.config(route(patientBackend(address))));
            for (boolean resets : new boolean[] {true, false}) {
                try (Socket raw = TlsClient.plainSocket(gateway.addresses().getFirst())) {
                    TlsClient.plain().over(raw);
                    if (resets) {
                        TlsClient.reset(raw);
                    } else {
                        raw.shutdownOutput();
                    }
                    awaitNoConnections(gateway);
                }
            }
            assertThat(gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "client_connection_reset"))
                    .isEqualTo(1);
            assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isZero();
            for (Socket waiting : queue) {
                waiting.close();
            }
        }
    }

    @Test
    void abandonsTheHandshakeWithTheBackendWhenTheClientLeaves() throws Exception {
        TestBackend silent = fixture.closing(TestBackend.serving(socket -> over.await()));
        BackendConfig backend = Copies.of(patientBackend(silent.address()))
                .tls(BackendTlsConfig.DEFAULT)
                .build();
        Gateway gateway = fixture.start(fixture.config(route(backend)));
        Socket raw = TlsClient.plainSocket(gateway.addresses().getFirst());
        TlsClient.plain().over(raw);
        Waiting.until(LIMIT, () -> silent.open() == 1, () -> "no connection");
        TlsClient.reset(raw);
        awaitNoConnections(gateway);
        assertThat(gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "client_connection_reset"))
                .isEqualTo(1);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isZero();
        over.countDown();
    }

    private static BackendConfig patientBackend(InetSocketAddress address) {
        return new BackendConfig("patient", List.of(address), Balance.ROUND_ROBIN, ProxyProtocol.NONE, VERY_LONG);
    }

    private static ServerSocket narrowListener() throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReceiveBufferSize(SMALL_BUFFER);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CONNECTIONS);
        return listener;
    }

    private static Socket narrowSocket(Gateway gateway) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.setSendBufferSize(SMALL_BUFFER);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(LIMIT.toMillis()));
        socket.connect(gateway.addresses().getFirst());
        return socket;
    }

    private Gateway stoppingEarly(TestBackend backend) {
        return fixture.before(
                fixture.closing(backend),
                limits -> Copies.of(limits)
                        .heldBytes(LimitsConfig.HELD_BYTES_MIN)
                        .idleTimeout(VERY_LONG)
                        .build());
    }

    private void writeWithoutEnd(Socket socket) {
        try {
            OutputStream out = socket.getOutputStream();
            while (true) {
                out.write(PIECE);
                written.addAndGet(PIECE.length);
            }
        } catch (IOException broken) {
            // As it is meant to end.
        }
    }

    /** Waits until nobody could write for a while. */
    private void awaitStandstill() throws InterruptedException {
        long before;
        do {
            before = written.get();
            Thread.sleep(500);
        } while (written.get() != before);
    }

    private static void awaitNoConnections(Gateway gateway) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTIONS) == 0,
                () -> gateway.metrics().count(Metric.CONNECTIONS) + " connections are open; ended: "
                        + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
    }

    private static void resetAll(Iterable<Socket> sockets) {
        for (Socket socket : sockets) {
            try {
                TlsClient.reset(socket);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
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
}
