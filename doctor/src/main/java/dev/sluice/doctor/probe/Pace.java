package dev.sluice.doctor.probe;

import java.util.concurrent.TimeUnit;

/**
 * A rate limiter and counter of connections, which start one after the other at most so many per second. Confined to
 * one thread.
 */
final class Pace {
    private final long gapNanos;
    private long next = System.nanoTime();
    private int count;

    /**
     * Creates an instance.
     *
     * @param perSecond at least 1
     */
    Pace(int perSecond) {
        this.gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** Waits until another connection may start. */
    void await() {
        long now = System.nanoTime();
        try {
            TimeUnit.NANOSECONDS.sleep(next - now);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        next = Math.max(next, now) + gapNanos;
        count++;
    }

    /** Returns the number of connections so far. */
    int count() {
        return count;
    }
}
