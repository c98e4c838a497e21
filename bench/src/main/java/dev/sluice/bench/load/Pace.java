package dev.sluice.bench.load;

/**
 * The schedule of many events: evenly spaced from a moment on, independent of earlier ones.
 *
 * @param beginNanos {@link System#nanoTime()} of the first event
 * @param perSecond events per second
 */
record Pace(long beginNanos, double perSecond) {
    private static final double NANOS_PER_SECOND = 1e9;

    Pace {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("a pace requires a rate above 0, perSecond=" + perSecond);
        }
    }

    /** Returns the time of an event, counted from 0. */
    long at(long number) {
        return beginNanos + Math.round(number * NANOS_PER_SECOND / perSecond);
    }

    /** Returns whether that moment has come. */
    boolean isDue(long number, long now) {
        return at(number) - now <= 0;
    }
}
