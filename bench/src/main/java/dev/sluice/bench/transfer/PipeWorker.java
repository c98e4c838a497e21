package dev.sluice.bench.transfer;

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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that measures one row, so that the rows can alternate.
 *
 * <p>Arguments: a {@link PipeKind}, certificate, key. Answers each of these input lines with a line:
 *
 * <pre>
 *   begin WIRE BLOCK_BYTES WARMUP_MILLIS   ok, when both ends are connected and warm
 *   round BLOCKS                           ok nanos=N cpu=N heap=N, in all
 * </pre>
 */
public final class PipeWorker {
    private static final int SEED = 17;
    private static final long WARMUP_BYTES = 64L << 20;

    private final PipeKind kind;
    private final Credentials credentials;
    private final PrintStream output;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private Arena arena = Arena.ofShared();
    private MemorySegment block = MemorySegment.NULL;
    private @Nullable Pipe pipe;

    /**
     * The cost of one round on one thread.
     *
     * @param cpuNanos CPU time
     * @param heapBytes allocated on the Java heap
     */
    private record Cost(long cpuNanos, long heapBytes) {}

    /** The work of one thread. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private PipeWorker(String[] arguments, PrintStream output) {
        this.kind = PipeKind.valueOf(arguments[0]);
        this.credentials = new Credentials(Path.of(arguments[1]), Path.of(arguments[2]));
        this.output = output;
    }

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // other output must not mix with the answers
        BufferedReader input = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        PipeWorker worker = new PipeWorker(arguments, output);
        output.println("ok library=" + worker.kind.library());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            worker.answer(line.split(" ", -1));
        }
    }

    private void answer(String[] words) {
        try {
            switch (words[0]) {
                case "begin" -> begin(Wire.valueOf(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
                case "round" -> round(Integer.parseInt(words[1]));
                default -> output.println("failed: unknown request " + words[0]);
            }
        } catch (IOException | RuntimeException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            output.println("failed: " + cause);
        }
    }

    private void begin(Wire wire, long bytes, int warmupMillis) throws IOException {
        if (pipe != null) {
            pipe.close();
            arena.close();
        }
        arena = Arena.ofShared();
        block = arena.allocate(bytes, Long.BYTES);
        SplittableRandom random = new SplittableRandom(SEED);
        for (long i = 0; i < bytes; i += Long.BYTES) {
            block.set(ValueLayout.JAVA_LONG, i, random.nextLong());
        }
        Pipe opened = kind.open(wire, block, credentials);
        pipe = opened;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(warmupMillis);
        int blocks = (int) Math.max(1, WARMUP_BYTES / bytes);
        while (System.nanoTime() < end) {
            transfer(opened, blocks);
        }
        output.println("ok");
    }

    private void round(int blocks) {
        if (pipe == null) {
            throw new BenchException("round before begin");
        }
        long begin = System.nanoTime();
        Cost cost = transfer(pipe, blocks);
        long nanos = System.nanoTime() - begin;
        output.println("ok nanos=" + nanos + " cpu=" + cost.cpuNanos + " heap=" + cost.heapBytes);
    }

    /** Sends on another thread, receives on this one, and returns the cost of both. */
    private Cost transfer(Pipe through, int blocks) {
        CompletableFuture<Cost> sending = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("sender").start(() -> {
            try {
                sending.complete(measured(() -> {
                    for (int i = 0; i < blocks; i++) {
                        through.send();
                    }
                }));
            } catch (Throwable t) {
                sending.completeExceptionally(t);
            }
        });
        BlockCheck check = new BlockCheck(block);
        long expected = blocks * block.byteSize();
        Cost received = measured(() -> {
            while (check.received() < expected) {
                through.receive(check);
            }
        });
        if (check.received() != expected) {
            throw new BenchException("received more than was sent, bytes=" + check.received());
        }
        Cost sent = sending.join();
        return new Cost(received.cpuNanos + sent.cpuNanos, received.heapBytes + sent.heapBytes);
    }

    private Cost measured(Work work) {
        long cpu = threads.getCurrentThreadCpuTime();
        long heap = threads.getCurrentThreadAllocatedBytes();
        try {
            work.run();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
        return new Cost(threads.getCurrentThreadCpuTime() - cpu, threads.getCurrentThreadAllocatedBytes() - heap);
    }
}
