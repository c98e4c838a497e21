package dev.sluice.gateway.log;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogLevel;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The log of a process that is a gateway: lines such as {@code 2026-11-21T06:30:00Z INFO  listening on 127.0.0.1:8443},
 * or messages to syslog or the journal. Writing is left to a daemon thread, and never waits. May be used from any
 * thread.
 */
public final class ProcessLog implements GatewayLog, LogControl, AutoCloseable {
    /** The longest time in which the end waits for the target. */
    private static final Duration END_TIME = Duration.ofSeconds(1);

    private static final long FLUSH_MILLIS = 1;

    private final LogLineWriter writer;
    private final Thread thread;
    private volatile LogConfig config = LogConfig.DEFAULT;
    private volatile LogLevel level = LogConfig.DEFAULT.level();

    /**
     * Starts a log that writes to standard error until {@link #apply} says otherwise.
     *
     * @param stderr stays the caller's
     */
    public ProcessLog(OutputStream stderr) {
        this.writer = new LogLineWriter(stderr, this::config);
        this.thread = Thread.ofPlatform().daemon().name("log").start(writer);
    }

    /**
     * Logs as a configuration says from now on. A level that was set at run time stays until the configuration changes.
     */
    public synchronized void apply(LogConfig next) {
        if (!next.equals(config)) {
            config = next;
            level = next.level();
        }
    }

    @Override
    public LogConfig config() {
        return config;
    }

    @Override
    public LogLevel level() {
        return level;
    }

    @Override
    public void level(LogLevel newLevel) {
        level = newLevel;
    }

    @Override
    public long lost() {
        return writer.lost();
    }

    @Override
    public void line(LogLevel of, String line) {
        add(of, line, null);
    }

    @Override
    public void failure(LogLevel of, LoggedFailure failure) {
        add(of, failure.text(), failure);
    }

    private void add(LogLevel of, String text, @Nullable LoggedFailure failure) {
        if (of.compareTo(level) >= 0) {
            writer.add(new LogEntry(Instant.now(), of, text, failure));
        }
    }

    @Override
    public void flush() {
        long until = System.nanoTime() + END_TIME.toNanos();
        try {
            while (!writer.isIdle() && System.nanoTime() < until) {
                TimeUnit.MILLISECONDS.sleep(FLUSH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it: what the target does not take any more goes to standard error. Idempotent. */
    @Override
    public void close() {
        flush();
        writer.end();
        try {
            thread.join(END_TIME);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
