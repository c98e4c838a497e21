package dev.sluice.bench.buffers.work;

import com.sun.management.ThreadMXBean;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs one task at a time. Answers each of these input lines with a line:
 *
 * <pre>
 *   begin WARMUP_MILLIS TASK ARGUMENT…   ok, when the task is warm; TASK is a {@link TaskKind}
 *   round MILLIS                         ok operations=N nanos=N heap=N
 *   end                                  ok, when the task has released what it holds
 * </pre>
 *
 * <p>Tasks run on a thread that Netty takes for one of its own, so that its allocators use their caches.
 */
public final class BufferWorker {
    private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MOST_PER_BATCH = 1 << 20;

    private final PrintStream output;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private @Nullable MeasuredTask task;
    private int batch = 1;

    private BufferWorker(PrintStream output) {
        this.output = output;
    }

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // other output must not mix with the answers
        Thread server = new FastThreadLocalThread(() -> new BufferWorker(output).serve(), "worker");
        server.start();
        server.join();
    }

    private void serve() {
        output.println("ok library=JDK " + Runtime.version());
        try (BufferedReader input = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                answer(line.split(" ", -1));
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read requests: " + e.getMessage(), e);
        }
    }

    private void answer(String[] words) {
        try {
            switch (words[0]) {
                case "begin" -> begin(words);
                case "round" -> round(Long.parseLong(words[1]));
                case "end" -> {
                    end();
                    output.println("ok");
                }
                default -> output.println("failed: unknown request " + words[0]);
            }
        } catch (Exception | OutOfMemoryError e) {
            output.println("failed: " + e);
        }
    }

    private void begin(String[] words) throws Exception {
        end();
        MeasuredTask opened = TaskKind.valueOf(words[2]).open(Arrays.copyOfRange(words, 2, words.length));
        task = opened;
        batch = 1;
        long warmup = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[1]));
        for (long done = 0; done < opened.least(); ) {
            done += run(opened, warmup);
        }
        output.println("ok");
    }

    private void end() throws Exception {
        MeasuredTask ended = task;
        task = null;
        if (ended != null) {
            ended.end();
        }
    }

    private void round(long millis) throws Exception {
        MeasuredTask current = task;
        if (current == null) {
            throw new IllegalStateException("round before begin");
        }
        long heap = threads.getTotalThreadAllocatedBytes();
        long start = System.nanoTime();
        long operations = run(current, TimeUnit.MILLISECONDS.toNanos(millis));
        long nanos = System.nanoTime() - start;
        output.println("ok operations=" + operations + " nanos=" + nanos + " heap="
                + (threads.getTotalThreadAllocatedBytes() - heap));
    }

    /** Runs batches of about a millisecond until the time is over, and returns the number of operations. */
    private long run(MeasuredTask running, long nanos) throws Exception {
        long operations = 0;
        long now = System.nanoTime();
        long end = now + nanos;
        do {
            int times = (int) Math.min(batch, running.most() - operations);
            running.run(times);
            operations += times;
            long after = System.nanoTime();
            if (after - now < BATCH_NANOS / 2) {
                batch = Math.min(MOST_PER_BATCH, batch * 2);
            }
            now = after;
        } while (now < end && operations < running.most());
        return operations;
    }
}
