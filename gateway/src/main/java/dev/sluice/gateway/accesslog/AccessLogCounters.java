package dev.sluice.gateway.accesslog;

import java.util.concurrent.atomic.AtomicLong;

/** The counts of access-log lines since the gateway's start, across reloads. Thread-safe. */
public final class AccessLogCounters {
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /** Makes counters that are zero. */
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

    /** Returns the number of written lines. */
    public long written() {
        return written.get();
    }

    /** Returns the number of lines dropped because the writer was too slow or the disk failed for too long. */
    public long dropped() {
        return dropped.get();
    }

    /** Returns the number of failed attempts to write or rotate. */
    long failures() {
        return failures.get();
    }
}
