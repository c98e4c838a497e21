package dev.sluice.gateway.admission;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A rate limit per second, with a burst of {@link #BURST} of it after a pause: the generic cell rate algorithm, whose
 * only state is the theoretical arrival time. Thread-safe, without locks.
 */
final class RateLimit {
    /** The burst allowed after a pause, as a share of the limit for a second. */
    static final double BURST = 0.1;

    private static final long SECOND = 1_000_000_000L;

    private final long intervalNanos;
    private final long burstNanos;
    /** Relative to {@link #origin}, so that it can be compared as it is. */
    private final AtomicLong paidAt = new AtomicLong();

    private final long origin;

    /**
     * Creates a rate limit.
     *
     * @param perSecond at least 1
     * @param now as of {@link System#nanoTime()}
     */
    RateLimit(int perSecond, long now) {
        this.intervalNanos = SECOND / perSecond;
        this.burstNanos = Math.max(intervalNanos, (long) (SECOND * BURST));
        this.origin = now - SECOND;
    }

    /** One more wants through. */
    boolean tryTake(long now) {
        long time = now - origin;
        while (true) {
            long paid = paidAt.get();
            long next = Math.max(paid, time) + intervalNanos;
            if (next - time > burstNanos) {
                return false;
            }
            if (paidAt.compareAndSet(paid, next)) {
                return true;
            }
        }
    }

    /** One has got through that was not counted: it is taken off what may come. */
    void charge(long now) {
        long time = now - origin;
        paidAt.updateAndGet(paid -> Math.max(paid, time) + intervalNanos);
    }
}
