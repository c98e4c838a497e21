package dev.sluice.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Link;
import dev.sluice.interop.fixture.SessionClient;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.RedisServer;
import dev.sluice.testkit.Waiting;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network between a gateway and what it depends on drops packets, and later no longer does. */
class PartitionTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int END_BYTES = 4; // \r\n\r\n
    /** A key that is no longer used is shown for a while. */
    private static final Pattern KEY =
            Pattern.compile("^([0-9a-f]{16}) +\\d+ +(next|current|previous) ", Pattern.MULTILINE);

    private final RedisServer redis = RedisServer.start();
    private final Link store = Link.to(URI.create(redis.url()).getPort());
    private final List<GatewayProcess> gateways = new ArrayList<>();
    private final List<Backend> backends = new ArrayList<>();

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void end() {
        gateways.forEach(GatewayProcess::close);
        backends.forEach(Backend::close);
        store.close();
        redis.close();
    }

    private Backend backend(Backend backend) {
        backends.add(backend);
        return backend;
    }

    private GatewayProcess start(GatewaySetup setup) {
        GatewayProcess gateway = GatewayProcess.start(setup);
        gateways.add(gateway);
        return gateway;
    }

    // --- the store of ticket keys -----------------------------------------------------------------------------------

    /**
     * Sessions are resumed by the keys that are present; nobody waits for the store. Afterwards the node has what the
     * others have made meanwhile.
     */
    @Test
    void aNodeThatDoesNotReachTheTicketStoreServesAndAgreesWithTheFleetAfterwards() throws IOException {
        Backend backend = backend(HttpBackend.start());
        GatewayProcess apart = start(node("apart", backend, store.port()));
        GatewayProcess other =
                start(node("other", backend, URI.create(redis.url()).getPort()));
        awaitAgreement();
        assertResumes(apart, other);

        store.cut();
        Waiting.until(LONG, () -> apart.log().contains("the current keys stay in use"), apart::log);
        assertResumes(apart, other);
        assertResumes(other, apart);
        apart.close(); // as a machine that fails; its successor does not reach the store either
        GatewayProcess again = start(node("apart", backend, store.port()));
        assertThat(again.log()).contains("the current keys stay in use");
        assertResumes(other, again);
        sluice("tickets", "rotate", "--admin", admin("other"));
        assertThat(keys("other")).isNotEqualTo(keys("apart"));

        store.heal();
        awaitAgreement();
        Waiting.until(LONG, () -> again.log().contains("ticket keys are those of"), again::log);
        assertResumes(again, other);
        assertResumes(other, again);
    }

    private GatewaySetup node(String name, Backend backend, int redisPort) throws IOException {
        Path fleetKey = directory.resolve("fleet.key");
        if (!Files.exists(fleetKey)) {
            Files.write(fleetKey, new byte[32]);
        }
        return GatewaySetup.before(backend, Transport.EPOLL)
                .with("tickets: {rotate: 10s, keep: 2m, poll: 200ms, fleet-key: " + fleetKey + ", cache: "
                        + directory.resolve(name + ".keys") + ", store: \"redis://127.0.0.1:" + redisPort + "\"}")
                .with("admin: " + admin(name))
                .with("loops: 1");
    }

    private String admin(String node) {
        return "unix:" + directory.resolve(node + ".sock");
    }

    /** The admin socket answers at once, whoever waits for the store. */
    private List<String> keys(String node) {
        return KEY.matcher(sluice("tickets", "show", "--admin", admin(node)))
                .results()
                .map(key -> key.group(1))
                .toList();
    }

    private static String sluice(String... line) {
        return Sluice.command(line).run().expectSuccess().output();
    }

    private void awaitAgreement() {
        Waiting.until(
                LONG,
                () -> !keys("apart").isEmpty() && keys("apart").equals(keys("other")),
                () -> keys("apart") + "\n" + keys("other"));
    }

    /** Takes a session from one node to another. */
    private void assertResumes(GatewayProcess from, GatewayProcess to) throws IOException {
        Path session = directory.resolve("session");
        Files.deleteIfExists(session);
        assertThat(SessionClient.get(from.port(), "-sess_out", session.toString()))
                .contains("200 OK");
        assertThat(SessionClient.get(to.port(), "-sess_in", session.toString())).contains("200 OK", "Reused, TLSv1.3");
    }

    // --- servers ----------------------------------------------------------------------------------------------------

    /** Its connections end by the idle timeout; new ones go to the other server, until it is reached again. */
    @Test
    void aServerThatVanishesIsDownUntilItIsReachedAgain() throws IOException {
        Backend vanishing = backend(answering('v'));
        Backend staying = backend(answering('s'));
        try (Link link = Link.to(Integer.parseInt(vanishing.address().replaceFirst(".*:", "")))) {
            GatewayProcess gateway = start(
                    GatewaySetup.before("127.0.0.1:" + link.port() + "\", \"" + staying.address(), Transport.EPOLL)
                            .with("limits: {idle-timeout: 3s}")
                            .with("loops: 1")
                            .backendKey("slow-start: 0s")
                            .backendKey("health: {kind: http, interval: 100ms, timeout: 300ms, rise: 1, fall: 2}"));
            try (SSLSocket lost = connectionTo('v', gateway);
                    SSLSocket kept = connectionTo('s', gateway)) {
                link.cut();
                request(lost);
                Waiting.until(LONG, () -> gateway.log().contains(" is down"), gateway::log);
                for (int i = 0; i < 6; i++) {
                    assertThat(page(kept)).isEqualTo('s');
                    try (SSLSocket next = TlsClient.connect(gateway.port())) {
                        assertThat(page(next)).isEqualTo('s');
                    }
                }
                assertEnds(lost);
            }
            link.heal();
            connectionTo('v', gateway).close();
            assertThat(gateway.stopAndTellEnds()).containsEntry("idle_timeout", 1L);
        }
    }

    /** Ended, cleanly or not, and not left open. */
    private static void assertEnds(SSLSocket lost) {
        try {
            assertThat(lost.getInputStream().read()).isEqualTo(-1);
        } catch (SocketTimeoutException open) {
            throw new AssertionError("a connection to a server that has vanished is left open", open);
        } catch (IOException aborted) {
            assertThat(aborted).isNotNull();
        }
    }

    /** A server that answers each request by one letter. */
    private static Backend answering(char letter) {
        byte[] answer = ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + letter).getBytes(US_ASCII);
        return Backend.serving(socket -> {
            int inEnd = 0;
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                inEnd = next == '\r' || next == '\n' ? inEnd + 1 : 0;
                if (inEnd == END_BYTES) {
                    socket.getOutputStream().write(answer);
                }
            }
        });
    }

    /** Opens connections until one is served by this server. */
    private static SSLSocket connectionTo(char letter, GatewayProcess gateway) {
        AtomicReference<SSLSocket> found = new AtomicReference<>();
        Waiting.until(
                LONG,
                () -> {
                    try {
                        SSLSocket socket = TlsClient.connect(gateway.port());
                        if (page(socket) == letter) {
                            found.set(socket);
                            return true;
                        }
                        socket.close();
                        return false;
                    } catch (IOException notYet) {
                        return false;
                    }
                },
                gateway::log);
        return found.get();
    }

    private static void request(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
    }

    /** Returns the letter that a request is answered by. */
    private static char page(SSLSocket socket) throws IOException {
        request(socket);
        int inEnd = 0;
        while (inEnd < END_BYTES) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException();
            }
            inEnd = next == '\r' || next == '\n' ? inEnd + 1 : 0;
        }
        return (char) socket.getInputStream().read();
    }
}
