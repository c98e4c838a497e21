package dev.sluice.bench.record.path;

import dev.sluice.tls.record.CipherSuite;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * A process that measures one path. It takes the place of JMH's fork: it runs one iteration at each request of the
 * harness, so that rounds of all paths can alternate.
 *
 * <p>Arguments: a {@link PathKind}, certificate, key. Answers each of these input lines with a line:
 *
 * <pre>
 *   compile                                                         ok, when the JVM has compiled the path
 *   begin OPERATION SUITE BYTES ROUND_MILLIS WARMUP_MILLIS ROUNDS   ok, when it is warm
 *   round                                                           ok nanos=N heap=N collections=N, the first
 *                                                                   two per record
 *   count SUITE BYTES RECORDS                                       ok, when it is connected
 *   count                                                           ok, when that many were sealed and opened
 *   idle CONNECTIONS                                                ok heap=N ledger=N, in all, with as many more open
 * </pre>
 */
public final class PathWorker {
    private static final int[] COMPILE_BYTES = {1024, 16_384};
    private static final long COMPILE_NANOS = 4_000_000_000L;
    private static final String COMPILE_SUITE = CipherSuite.TLS_AES_128_GCM_SHA256.name();

    /** Iterations of the warm-up. */
    private static final int WARMUPS = 2;

    private final PathKind kind;
    private final Credentials credentials;
    private final BufferedReader input;
    private final PrintStream output;
    private @Nullable IdleConnections idle;
    private @Nullable RecordPath counted;

    private PathWorker(String[] arguments, BufferedReader input, PrintStream output) {
        this.kind = PathKind.valueOf(arguments[0]);
        this.credentials = new Credentials(Path.of(arguments[1]), Path.of(arguments[2]));
        this.input = input;
        this.output = output;
    }

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // other output must not mix with the answers
        BufferedReader input = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        PathWorker worker = new PathWorker(arguments, input, output);
        output.println("ok library=" + worker.kind.library());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            worker.closeCounted();
            worker.answer(line.split(" ", -1));
        }
        worker.closeCounted();
    }

    /** Runs for a while, so that the JVM compiles the measured code, which takes longest for the JDK's engine. */
    private void compile() {
        for (int bytes : COMPILE_BYTES) {
            long end = System.nanoTime() + COMPILE_NANOS / COMPILE_BYTES.length;
            try (RecordPath path = kind.open(COMPILE_SUITE, bytes, credentials)) {
                while (System.nanoTime() < end) {
                    path.sealAndOpen();
                    path.sealBatch();
                    path.openBatch();
                }
            }
        }
        output.println("ok");
    }

    private void answer(String[] words) throws IOException {
        try {
            switch (words[0]) {
                case "compile" -> compile();
                case "begin" -> measure(words);
                case "count" -> count(words);
                case "idle" -> idle(Integer.parseInt(words[1]));
                default -> output.println("failed: unknown request " + words[0]);
            }
        } catch (RunnerException | RuntimeException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            output.println("failed: " + cause.getMessage());
        }
    }

    private void measure(String[] words) throws RunnerException {
        kind.open(words[2], Integer.parseInt(words[3]), credentials).close(); // JMH would not report the cause
        new Runner(options(words), new TurnByTurn(input, output)).run();
    }

    private Options options(String[] words) {
        long warmupMillis = Long.parseLong(words[5]) / WARMUPS;
        return new OptionsBuilder()
                .include(RecordJmh.class.getName() + "\\." + words[1] + "$")
                .param("kind", kind.name())
                .param("suite", words[2])
                .param("bytes", words[3])
                .param("certificate", credentials.chain().toString())
                .param("key", credentials.key().toString())
                .mode(Mode.AverageTime)
                .timeUnit(java.util.concurrent.TimeUnit.NANOSECONDS)
                .addProfiler(GCProfiler.class)
                .forks(0)
                .threads(1)
                .shouldFailOnError(true)
                .warmupIterations(WARMUPS)
                .warmupTime(TimeValue.milliseconds(warmupMillis))
                .measurementIterations(Integer.parseInt(words[6]))
                .measurementTime(TimeValue.milliseconds(Long.parseLong(words[4])))
                .build();
    }

    /**
     * Counts allocations. The path stays open until the next request: its closing allocates, and the count is read
     * after the second answer.
     */
    private void count(String[] words) throws IOException {
        RecordPath path = kind.open(words[1], Integer.parseInt(words[2]), credentials);
        counted = path;
        path.sealAndOpen(); // one-time allocations happen now
        output.println("ok");
        if (input.readLine() != null) {
            for (int i = Integer.parseInt(words[3]); i > 0; i--) {
                path.sealAndOpen();
            }
            output.println("ok");
        }
    }

    private void closeCounted() {
        if (counted != null) {
            counted.close();
            counted = null;
        }
    }

    private void idle(int connections) {
        if (idle == null) {
            idle = kind.idle(credentials);
        }
        idle.open(connections);
        output.println("ok heap=" + idle.heapBytes() + " ledger=" + idle.ledgerBytes());
    }
}
