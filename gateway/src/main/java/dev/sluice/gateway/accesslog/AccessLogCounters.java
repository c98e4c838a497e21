package dev.sluice.gateway.accesslog;

import java.util.concurrent.atomic.AtomicLong;

/** What became of the access log's lines since the gateway's start, whatever was reloaded. Thread-safe. */
public final class AccessLogCounters {
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /** Makes counters that stand at nothing. */
    public AccessLogCounters() {}

    void written(long lines) {
        written.addAndGet(lines);
    }

    void dropped(long lines) {
        dropped.addAndGet(lines);
    }

    void failed() {
        failures.incrementAndGet();
    }

    /** Lines that were written. */
    public long written() {
        return written.get();
    }

    /** Lines that were lost, since the writer was too slow or the disk failed for too long. */
    public long dropped() {
        return dropped.get();
    }

    /** Attempts to write or to rotate that failed. */
    public long failures() {
        return failures.get();
    }
}
