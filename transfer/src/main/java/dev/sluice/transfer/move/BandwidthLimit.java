package dev.sluice.transfer.move;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A limit of bytes per second that all streams of a transfer share. Thread-safe. */
public final class BandwidthLimit {
    /** No limit. */
    public static final BandwidthLimit NONE = new BandwidthLimit(0);

    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int SLICES_PER_SECOND = 20;
    private static final long SLOW_BYTES_PER_SECOND = 1 << 20;

    private final long bytesPerSecond;
    private final LongSupplier nanoTime;
    private final LongConsumer sleepNanos;
    private long freeAt;

    /**
     * Creates a limit.
     *
     * @param bytesPerSecond 0 for none
     */
    public BandwidthLimit(long bytesPerSecond) {
        this(bytesPerSecond, System::nanoTime, LockSupport::parkNanos);
    }

    BandwidthLimit(long bytesPerSecond, LongSupplier nanoTime, LongConsumer sleepNanos) {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("bytesPerSecond=" + bytesPerSecond + "; use 0 for no limit");
        }
        this.bytesPerSecond = bytesPerSecond;
        this.nanoTime = nanoTime;
        this.sleepNanos = sleepNanos;
        this.freeAt = nanoTime.getAsLong();
    }

    /** Returns the most bytes that are worth one wait, so that a slow stream is never silent for long. */
    int slice() {
        return isSlow() ? (int) Math.max(1, bytesPerSecond / SLICES_PER_SECOND) : Integer.MAX_VALUE;
    }

    /** Returns whether slices are sent one by one. */
    boolean isSlow() {
        return bytesPerSecond > 0 && bytesPerSecond < SLOW_BYTES_PER_SECOND;
    }

    /** Waits until bytes may pass. */
    void acquire(int bytes) {
        if (bytesPerSecond == 0) {
            return;
        }
        long until = reserve(bytes);
        for (long now = nanoTime.getAsLong(); until - now > 0; now = nanoTime.getAsLong()) {
            sleepNanos.accept(until - now);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    /** Returns the time at which bytes may pass; what was not used before counts for a short burst only. */
    private synchronized long reserve(int bytes) {
        long earliest = nanoTime.getAsLong() - BURST_NANOS;
        long start = freeAt - earliest > 0 ? freeAt : earliest;
        freeAt = start + (long) (bytes * (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond);
        return start;
    }
}
