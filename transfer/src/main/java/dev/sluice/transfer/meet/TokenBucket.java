package dev.sluice.transfer.meet;

/**
 * A rate limit that permits a burst of one period and lets the taker run into debt, which it pays by waiting. Confined
 * to one thread.
 */
final class TokenBucket {
    private static final double NANOS = 1e9;

    private final double perNano;
    private final double burst;
    private double level;
    private long filledAt;

    /**
     * Creates a full bucket.
     *
     * @param tokens what may be taken in a period, and at once
     * @param periodNanos the period
     * @param now of System.nanoTime
     */
    TokenBucket(long tokens, long periodNanos, long now) {
        this.perNano = (double) tokens / periodNanos;
        this.burst = tokens;
        this.level = tokens;
        this.filledAt = now;
    }

    /** Creates a full bucket of a rate per second. */
    static TokenBucket perSecond(long tokens, long now) {
        return new TokenBucket(tokens, (long) NANOS, now);
    }

    /** Takes tokens, whether they are there or not; returns the nanoseconds until there is no debt. */
    long take(long tokens, long now) {
        fill(now);
        level -= tokens;
        return level >= 0 ? 0 : (long) Math.ceil(-level / perNano);
    }

    /** Takes a token; returns false and takes none where there is none. */
    boolean tryTake(long now) {
        fill(now);
        if (level < 1) {
            return false;
        }
        level--;
        return true;
    }

    /** Returns true when nothing is owed and the burst is whole. */
    boolean isFull(long now) {
        fill(now);
        return level >= burst;
    }

    private void fill(long now) {
        level = Math.min(burst, level + (now - filledAt) * perNano);
        filledAt = now;
    }
}
