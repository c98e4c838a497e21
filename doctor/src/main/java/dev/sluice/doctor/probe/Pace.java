package dev.sluice.doctor.probe;

import java.util.concurrent.TimeUnit;

/** Lets connections begin one after the other, no more than so many per second, and counts them. Confined to one thread. */
final class Pace {
    private final long gapNanos;
    private long next = System.nanoTime();
    private int count;

    /** @param perSecond at least 1 */
    Pace(int perSecond) {
        this.gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** Waits until another connection may begin. */
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

    /** Connections so far. */
    int count() {
        return count;
    }
}
