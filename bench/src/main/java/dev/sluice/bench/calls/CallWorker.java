package dev.sluice.bench.calls;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.record.path.Credentials;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that is the client or the server of one row, so that the rows can alternate and each side has a core.
 *
 * <p>Arguments: a {@link CallKind}, certificate, key, directory of the channel's keys. Answers each of these input
 * lines with a line:
 *
 * <pre>
 *   listen REQUEST_BYTES RESPONSE_BYTES DEPTH                       ok port=N
 *   connect REQUEST_BYTES RESPONSE_BYTES DEPTH PORT WARMUP_MILLIS   ok, when the connection is warm
 *   round CALLS                                                     ok nanos=N
 *   usage                                                           ok cpu=N heap=N, since the start
 * </pre>
 */
public final class CallWorker {
    private static final int WARMUP_CALLS = 100;

    private final CallKind kind;
    private final Credentials credentials;
    private final Path directory;
    private final PrintStream output;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private @Nullable CallClient client;

    private CallWorker(String[] arguments, PrintStream output) {
        this.kind = CallKind.valueOf(arguments[0]);
        this.credentials = new Credentials(Path.of(arguments[1]), Path.of(arguments[2]));
        this.directory = Path.of(arguments[3]);
        this.output = output;
    }

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // other output must not mix with the answers
        BufferedReader input = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        CallWorker worker = new CallWorker(arguments, output);
        output.println("ok library=" + worker.kind.library());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            worker.answer(line.split(" ", -1));
        }
    }

    private void answer(String[] words) {
        try {
            switch (words[0]) {
                case "listen" -> listen(shape(words));
                case "connect" -> connect(shape(words), Integer.parseInt(words[4]), Integer.parseInt(words[5]));
                case "round" -> round(Integer.parseInt(words[1]));
                case "usage" -> usage();
                default -> output.println("failed: unknown request " + words[0]);
            }
        } catch (IOException | RuntimeException e) {
            output.println("failed: " + e);
        }
    }

    private static CallShape shape(String[] words) {
        return new CallShape(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
    }

    private void listen(CallShape shape) throws IOException {
        CallServer server = kind.listen(shape, credentials, directory);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                server.serve();
            } catch (IOException e) {
                throw new BenchException("the server failed: " + e.getMessage(), e);
            }
        });
        output.println("ok port=" + server.port());
    }

    private void connect(CallShape shape, int port, int warmupMillis) throws IOException {
        if (client != null) {
            client.close();
        }
        CallClient connected = kind.connect(shape, credentials, directory, port);
        client = connected;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(warmupMillis);
        while (System.nanoTime() < end) {
            connected.run(WARMUP_CALLS);
        }
        output.println("ok");
    }

    private void round(int count) throws IOException {
        if (client == null) {
            throw new BenchException("round before connect");
        }
        long begin = System.nanoTime();
        client.run(count);
        output.println("ok nanos=" + (System.nanoTime() - begin));
    }

    private void usage() {
        output.println("ok cpu=" + process.getProcessCpuTime() + " heap=" + threads.getTotalThreadAllocatedBytes());
    }
}
