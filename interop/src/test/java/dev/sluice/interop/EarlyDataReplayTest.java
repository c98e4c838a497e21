package dev.sluice.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.EarlyDataClient;
import dev.sluice.testkit.FlightRecorder;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.RedisServer;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with data that {@code openssl s_client} sent early, recorded and sent again to the nodes of a fleet with the
 * same ticket keys: to the same, to another, and to one that was started again. It never reaches the backend a second
 * time.
 */
class EarlyDataReplayTest extends GatewayTest {
    private static final int HOLD = 0;
    private static final int FORWARD = 1;
    private static final Duration CLOSED_AFTER_START = Duration.ofSeconds(13);
    private static final String GET = "GET /early HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    Path directory = Path.of("");

    /** The requests that reached the backend, from whichever node. */
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private final Backend backend = backend(Backend.serving(this::serve));

    private void serve(Socket socket) throws IOException {
        InputStream input = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        for (int next = input.read(); next >= 0 && head.indexOf("\r\n\r\n") < 0; next = input.read()) {
            head.append((char) next);
            if (head.toString().endsWith("\r\n\r\n")) {
                break;
            }
        }
        requests.add(head.toString());
        socket.getOutputStream().write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
    }

    @BeforeEach
    void makeTicketKey() throws IOException {
        byte[] key = new byte[80]; // nginx's form
        new SecureRandom().nextBytes(key);
        Files.write(Files.createDirectories(directory.resolve("keys")).resolve("current.key"), key);
    }

    private GatewayProcess node() {
        return node("\"file:" + directory.resolve("keys") + "\"");
    }

    private GatewayProcess node(String store) {
        return gateway(GatewaySetup.before(backend, transport)
                .with("tickets: {store: " + store + "}")
                .listener("alpn: [http/1.1]")
                .listener("early-data: hold")
                .furtherListener("alpn: [http/1.1]\n    early-data: forward"));
    }

    /** Sends early data through a recorder, and what was recorded; the backend has had it once. */
    private byte[] recorded(GatewayProcess node, int listener, EarlyDataClient client, Path session) {
        try (FlightRecorder recorder = FlightRecorder.before(node.ports().get(listener))) {
            ForeignResult result = client.send(recorder.port(), session, GET, "");
            assertThat(result.output()).contains(EarlyDataClient.ACCEPTED, "HTTP/1.1 200 OK");
            return recorder.recorded();
        }
    }

    /** The same of a client whose Finished arrives only when the backend has the request. */
    private byte[] forwarded(GatewayProcess node, EarlyDataClient client, Path session) {
        int before = requests.size();
        int port = node.ports().get(FORWARD);
        try (FlightRecorder recorder = FlightRecorder.holdingAfter(EarlyDataClient.FIRST_FLIGHT_RECORDS, port);
                RunningProgram sending = client.start(recorder.port(), session, GET)) {
            Waiting.until(LONG, () -> requests.size() > before, sending::toString);
            recorder.release();
            assertThat(sending.awaitExit(LONG).output()).contains(EarlyDataClient.ACCEPTED, "HTTP/1.1 200 OK");
            return recorder.recorded();
        }
    }

    /** Sends the recorded bytes to both listeners of a node, whole, and without what came behind the first flight. */
    private static void replay(GatewayProcess node, byte[] recorded) throws IOException {
        for (int port : node.ports()) {
            for (byte[] sent : new byte[][] {recorded, firstRecords(recorded, EarlyDataClient.FIRST_FLIGHT_RECORDS)}) {
                try (Socket socket = TlsClient.raw(port)) {
                    socket.getOutputStream().write(sent);
                    socket.shutdownOutput();
                    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException reset) {
                    // as good as an end
                }
            }
        }
    }

    private static byte[] firstRecords(byte[] all, int records) {
        int end = 0;
        for (int i = 0; i < records; i++) {
            end += 5 + (((all[end + 3] & 0xFF) << 8) | (all[end + 4] & 0xFF));
        }
        return Arrays.copyOf(all, end);
    }

    @Test
    void heldNeverReachesTheBackendAgain() throws IOException {
        GatewayProcess first = node();
        GatewayProcess second = node();
        EarlyDataClient client = new EarlyDataClient(directory, "-alpn", "http/1.1");
        Path session = client.session(first.ports().get(HOLD), GET);
        requests.clear();
        byte[] recorded = recorded(first, HOLD, client, session);
        assertThat(requests).containsExactly(GET);

        replay(first, recorded);
        replay(second, recorded);
        first.stop();
        replay(node(), recorded);
        assertThat(requests).containsExactly(GET);

        // The other node takes what is no copy.
        recorded(second, HOLD, client, session);
        assertThat(requests).containsExactly(GET, GET);
        assertThat(second.stop().errors()).contains("early data: ", "refused: {");
    }

    /** Once, on one transport: it takes two times the time in which a node forwards nothing after its start. */
    @Test
    void forwardedReachesTheBackendOnce() throws Exception {
        assumeTrue(transport == Transport.EPOLL, "the transport has no part in it");
        GatewayProcess first = node();
        GatewayProcess second = node();
        EarlyDataClient client = new EarlyDataClient(directory, "-alpn", "http/1.1");
        Path session = client.session(first.ports().get(FORWARD), GET);
        assertThat(client.send(first.ports().get(FORWARD), session, GET, GET).output())
                .as("it has just been started")
                .contains(EarlyDataClient.REJECTED, "HTTP/1.1 200 OK");
        Thread.sleep(CLOSED_AFTER_START);
        requests.clear();
        byte[] recorded = forwarded(first, client, session);
        assertThat(requests).hasSize(1);

        replay(first, recorded);
        replay(second, recorded);
        assertThat(client.send(second.ports().get(FORWARD), session, GET, GET).output())
                .as("a ticket of another node resumes, and no more")
                .contains("Reused, TLSv1.3", EarlyDataClient.REJECTED);
        String log = first.stop().errors();
        assertThat(log).contains("1 of these forwarded", "replayed=2");
        GatewayProcess again = node();
        replay(again, recorded);
        assertThat(requests).hasSize(2);

        Thread.sleep(CLOSED_AFTER_START);
        replay(again, recorded);
        assertThat(client.send(again.ports().get(FORWARD), session, GET, GET).output())
                .as("a ticket of before the restart resumes, and no more")
                .contains("Reused, TLSv1.3", EarlyDataClient.REJECTED);
        assertThat(requests).hasSize(3);
        assertThat(again.stop().errors()).contains("foreign_ticket=1");
    }

    /** Checks that data sent to one node is known to the other, which accepts all else with the same ticket. */
    @Test
    void throughAFleetItReachesTheBackendOnce() throws Exception {
        assumeTrue(transport == Transport.EPOLL, "the transport has no part in it");
        try (RedisServer redis = RedisServer.start()) {
            Path key = Files.writeString(directory.resolve("fleet.key"), "ab".repeat(16));
            String store = "\"" + redis.url() + "\", fleet-key: " + key;
            // As if it had run for longer than any copy can be used.
            ForeignProgram.required("redis-cli", "redis-tools")
                    .command("-p", Integer.toString(redis.port()), "set", "sluice:tickets:early:since", "1")
                    .run()
                    .expectSuccess();
            GatewayProcess first = node(store);
            GatewayProcess second = node(store);
            EarlyDataClient client = new EarlyDataClient(directory, "-alpn", "http/1.1");
            Path session = client.session(first.ports().get(FORWARD), GET);
            requests.clear();
            byte[] recorded = recorded(first, FORWARD, client, session);
            byte[] another = recorded(second, FORWARD, client, session);
            assertThat(requests).hasSize(2);
            for (byte[] copy : new byte[][] {recorded, another}) {
                replay(first, copy);
                replay(second, copy);
            }
            assertThat(requests).hasSize(2);

            redis.suspend(); // whatever is in doubt waits, and loses nothing but time
            byte[] inDoubt = recorded(first, FORWARD, client, session);
            replay(first, inDoubt);
            replay(second, inDoubt);
            redis.resume();
            assertThat(requests).hasSize(3);
            assertThat(requests.stream().skip(2)).containsExactly(GET);
            assertThat(first.stop().errors()).contains("replayed=", "store_silent=");
        }
    }
}
