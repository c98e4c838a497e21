package dev.sluice.gateway.log;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogLevel;
import dev.sluice.config.log.LogTarget;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The writer of entries to the log's target, on a thread of its own, so that no target delays a connection.
 *
 * <pre>
 *   any thread ──▶ queue of {@value #ENTRIES_MAX} ──▶ target
 *                    full: lost, and counted          unreachable: retried each second
 * </pre>
 */
final class LogLineWriter implements Runnable {
    /** The number of entries that wait for the target at most. */
    static final int ENTRIES_MAX = 1024;

    private static final LogEntry END = new LogEntry(Instant.EPOCH, LogLevel.INFO, "", null);

    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private static final long BUSY_MILLIS = 20;
    private static final long UNREACHABLE_MILLIS = 1_000;

    private final BlockingQueue<LogEntry> queue = new ArrayBlockingQueue<>(ENTRIES_MAX);
    private final AtomicLong lost = new AtomicLong();
    private final OutputStream stderr;
    private final Supplier<LogConfig> config;
    private LogConfig served;
    private LogSink sink;
    private boolean failing;
    private long lostBefore;

    /** The number of entries that were given and are not yet written. */
    private final AtomicLong pending = new AtomicLong();

    private volatile boolean ending;

    /**
     * Creates a writer.
     *
     * @param stderr where notes on an unreachable target go, too
     * @param config names the target; may change
     */
    LogLineWriter(OutputStream stderr, Supplier<LogConfig> config) {
        this.stderr = stderr;
        this.config = config;
        this.served = config.get();
        this.sink = open(served);
    }

    /** Passes an entry on, or drops it; from any thread. */
    void add(LogEntry entry) {
        pending.incrementAndGet();
        if (!queue.offer(entry)) {
            pending.decrementAndGet();
            lost.incrementAndGet();
        }
    }

    /** Returns the number of entries that the target did not get; from any thread. */
    long lost() {
        return lost.get();
    }

    /** Returns true when everything that was added has been written or lost; from any thread. */
    boolean isIdle() {
        return pending.get() == 0;
    }

    /** Has {@link #run} return soon: what the target does not take now goes to standard error. From any thread. */
    void end() {
        ending = true;
        queue.offer(END); // in vain where it is full, and the writer thus awake
    }

    @Override
    public void run() {
        try {
            for (LogEntry entry = queue.take(); !entry.equals(END); entry = next()) {
                deliver(entry);
                pending.decrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sink.close();
        }
    }

    private LogEntry next() throws InterruptedException {
        LogEntry waiting = ending ? queue.poll() : queue.take();
        return waiting == null ? END : waiting;
    }

    private void deliver(LogEntry entry) throws InterruptedException {
        while (true) {
            LogSink.Outcome outcome = current().write(entry);
            switch (outcome) {
                case TAKEN -> {
                    recovered();
                    return;
                }
                case REFUSED -> {
                    lost.incrementAndGet();
                    return;
                }
                case BUSY -> TimeUnit.MILLISECONDS.sleep(BUSY_MILLIS);
                case UNREACHABLE -> {
                    failed();
                    awaitTarget();
                }
            }
            if (ending) {
                lastResort(entry);
                return;
            }
        }
    }

    /** Returns the sink of the configuration as it is now. */
    private LogSink current() {
        LogConfig wanted = config.get();
        if (!wanted.equals(served)) {
            sink.close();
            served = wanted;
            sink = open(wanted);
            failing = false;
        }
        return sink;
    }

    private LogSink open(LogConfig wanted) {
        if (wanted.target() == LogTarget.STDERR) {
            return new StreamSink(stderr, wanted.format());
        }
        String path = wanted.socket().toString();
        if (wanted.target() == LogTarget.JOURNALD) {
            return new DatagramSink(path, entry -> JournalMessage.encode(entry, wanted));
        }
        SyslogMessage messages =
                new SyslogMessage(hostname(), ProcessHandle.current().pid());
        return new DatagramSink(path, entry -> messages.encode(entry, wanted));
    }

    /** The name of this machine, without a question to DNS. */
    private static String hostname() {
        try {
            return Files.readString(HOSTNAME).strip();
        } catch (IOException nameless) {
            return "";
        }
    }

    private void awaitTarget() throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(UNREACHABLE_MILLIS);
        while (!ending && config.get().equals(served) && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(BUSY_MILLIS);
        }
    }

    private void failed() {
        if (!failing) {
            failing = true;
            lostBefore = lost.get();
            note(
                    LogLevel.WARN,
                    "log: " + served.text() + " does not receive (" + sink.problem() + "); retried each second, "
                            + ENTRIES_MAX + " lines wait meanwhile; start the daemon, or change log.target");
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            String line = "log: " + served.text() + " receives again; " + (lost.get() - lostBefore)
                    + " lines were lost meanwhile";
            sink.write(new LogEntry(Instant.now(), LogLevel.INFO, line, null));
        }
    }

    private void lastResort(LogEntry entry) {
        if (new StreamSink(stderr, served.format()).write(entry) != LogSink.Outcome.TAKEN) {
            lost.incrementAndGet();
        }
    }

    private void note(LogLevel level, String line) {
        lastResort(new LogEntry(Instant.now(), level, line, null));
    }
}
