package dev.sluice.gateway.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that make no progress are ended, others are left alone. */
final class AdminConnectionsTest {
    private static final Duration LIMIT = Waiting.LIMIT;

    private final AdminConnections connections = new AdminConnections();
    private final FakeGateway gateway = new FakeGateway();
    private final EventStreams streams = new EventStreams();
    private final Routes routes = new Routes(
            gateway,
            new Sampler(gateway, streams),
            streams,
            new Guard(AdminHttpConfig.local(Addresses.toListen("127.0.0.1:0"))));
    private final List<Socket> clients = new ArrayList<>();
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    AdminConnectionsTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        connections.close();
        for (Socket client : clients) {
            client.close();
        }
        server.close();
    }

    @Test
    void whoeverWaitsTooLongForAClientIsEnded() throws IOException {
        Socket silent = connect("GET /heal");
        long now = System.nanoTime();
        Waiting.until(LIMIT, () -> connections.running() == 1, () -> "the connection is not there");

        connections.endOverdue(now + AdminConnections.TIME_MAX.toNanos() / 2);
        assertThat(connections.running()).isEqualTo(1);
        connections.endOverdue(now + AdminConnections.TIME_MAX.toNanos() * 2);

        assertThat(ends(silent)).isTrue();
        Waiting.until(LIMIT, () -> connections.running() == 0, () -> "the connection is not over");
    }

    @Test
    void aReloadHasMoreTime() throws IOException {
        gateway.reloadsMayEnd = new CountDownLatch(1);
        Socket client = connect("POST /reload HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Waiting.until(LIMIT, () -> gateway.reloads.get() == 1, () -> "not asked to reload");

        connections.endOverdue(System.nanoTime() + AdminConnections.TIME_MAX.toNanos() * 2);
        gateway.reloadsMayEnd.countDown();

        assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII)).contains(" 200 OK", "reloaded");
    }

    @Test
    void closingEndsAllAndWaitsForThem() throws IOException {
        gateway.reloadsMayEnd = new CountDownLatch(1);
        Socket reload = connect("POST /reload HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Waiting.until(LIMIT, () -> gateway.reloads.get() == 1, () -> "not asked to reload");
        Socket silent = connect("");

        connections.close();

        assertThat(connections.running()).isZero();
        assertThat(ends(reload)).isTrue();
        assertThat(ends(silent)).isTrue();
        assertThat(ends(connect("GET / HTTP/1.1\r\n\r\n"))).as("afterwards").isTrue();
    }

    @Test
    void theOldestThatHasNotAskedMakesRoom() throws IOException {
        Socket oldest = connect("");
        Socket second = connect("");
        for (int i = 0; i < AdminConnections.PENDING_MAX - 1; i++) {
            connect("");
        }

        assertThat(ends(oldest)).isTrue();
        second.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        assertThat(new String(second.getInputStream().readAllBytes(), US_ASCII)).startsWith("HTTP/1.1 200 OK");
    }

    private Socket connect(String sent) throws IOException {
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        clients.add(client);
        client.setSoTimeout((int) LIMIT.toMillis());
        client.getOutputStream().write(sent.getBytes(US_ASCII));
        new AdminConnection(server.accept(), null, connections, routes).start();
        return client;
    }

    private static boolean ends(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }
}
