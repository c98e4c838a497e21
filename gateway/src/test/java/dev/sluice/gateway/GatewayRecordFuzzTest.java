package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RecordClients.Suite;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Descriptors;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/**
 * Hostile clients that complete a handshake and then send whatever a seed says, one after the other, to a gateway on
 * real sockets. After each nothing of it is left, and an honest client is served beside them.
 *
 * <p>One that fails names its seed: {@code -Dsluice.fuzz.seed=N -Dsluice.fuzz.sequences=1} runs it alone. How the bytes
 * come to lie in segments is the kernel's to decide, so that it may take several runs. {@code tools/fuzz gateway
 * SECONDS} runs for longer.
 */
class GatewayRecordFuzzTest extends GatewayConformance {
    private static final String SEED = "sluice.fuzz.seed";
    private static final int SEQUENCES = Integer.getInteger("sluice.fuzz.sequences", 300);
    private static final long SECONDS = Long.getLong("sluice.fuzz.seconds", 0);
    private static final int SEQUENCES_PER_HONEST_EXCHANGE = 20;
    private static final int LIVE_CONNECTIONS = 1;
    private static final String KEYS = "connection keys";

    private static final List<Suite> SUITES = List.of(Suite.values());

    private final RecordClients clients = new RecordClients();

    @Test
    void leavesNothingBehindWhateverRecordsClientsSend() throws Exception {
        try (clients) {
            Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(GatewayRecordFuzzTest::behave)));
            try (SSLSocket honest =
                    TlsClient.plain().connect(gateway.addresses().getFirst())) {
                assertEchoes(honest);
                long first = Long.getLong(SEED, 1);
                long last = runSequences(gateway, honest, first);
                report(last - first, gateway);
            }
        }
    }

    /** Reports the progress to a user who has set a time. */
    private void report(long sequences, Gateway gateway) {
        if (SECONDS > 0) {
            System.out.println(sequences + " sequences on " + transport + ", ends="
                    + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
        }
    }

    private long runSequences(Gateway gateway, SSLSocket honest, long first) throws IOException {
        long keys = keys();
        int descriptors = -1;
        long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        long seed = first;
        while (SECONDS == 0 ? seed < first + SEQUENCES : System.nanoTime() - end < 0) {
            String told = sequence(gateway, seed);
            Waiting.until(
                    LIMIT,
                    () -> gateway.metrics().count(Metric.CONNECTIONS) == LIVE_CONNECTIONS && keys() == keys,
                    () -> gateway.metrics().count(Metric.CONNECTIONS) - LIVE_CONNECTIONS + " connections and "
                            + (keys() - keys) + " sets of keys are left by " + told);
            descriptors = descriptors < 0 ? Descriptors.count() : descriptors; // what the first one makes is kept
            seed++;
            if (seed % SEQUENCES_PER_HONEST_EXCHANGE == 0) {
                assertEchoes(honest);
            }
        }
        int before = descriptors;
        Waiting.until(
                LIMIT,
                () -> Descriptors.count() <= before,
                () -> "open, of " + before + ": "
                        + Descriptors.list(ProcessHandle.current().pid()));
        assertEchoes(honest);
        return seed;
    }

    private static long keys() {
        return Ledger.process().account(KEYS).liveCount();
    }

    /** Runs one; what it did, for messages. */
    private String sequence(Gateway gateway, long seed) throws IOException {
        Suite suite = SUITES.get(Math.floorMod(seed, SUITES.size()));
        try (RecordClient client = clients.connect(gateway.addresses().getFirst(), suite)) {
            RecordSequence sequence = new RecordSequence(seed, client);
            String who = "-D" + SEED + "=" + seed + " (" + suite + ", " + transport + "): ";
            try {
                sequence.run();
            } catch (RuntimeException e) {
                throw new AssertionError(who + sequence, e);
            }
            assertThat(sequence.complaint()).as(who + sequence).isEmpty();
            return who + sequence;
        }
    }

    // --- the backend
    // --------------------------------------------------------------------------------------------------

    /** Does what the first byte asks for. */
    private static void behave(Socket socket) throws IOException {
        InputStream input = socket.getInputStream();
        OutputStream output = socket.getOutputStream();
        int asked = input.read();
        switch (asked) {
            case 'c' -> output.write("HTTP/1.0 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            case 'p' -> push(output);
            case 's' -> input.transferTo(OutputStream.nullOutputStream());
            case 'h' -> {
                output.write(asked);
                socket.shutdownOutput();
                input.transferTo(OutputStream.nullOutputStream());
            }
            case 'r' -> TlsClient.reset(socket);
            case -1 -> {}
            default -> {
                output.write(asked);
                input.transferTo(output);
            }
        }
    }

    private static void push(OutputStream output) throws IOException {
        byte[] much = new byte[64 * 1024];
        while (true) {
            output.write(much);
        }
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        byte[] message = "echo".getBytes(StandardCharsets.US_ASCII);
        client.getOutputStream().write(message);
        assertThat(client.getInputStream().readNBytes(message.length)).isEqualTo(message);
    }
}
