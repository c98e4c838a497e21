package dev.sluice.bench.load;

/**
 * When each of many things is to begin: evenly spaced from a moment on, whatever becomes of those before.
 *
 * @param beginNanos when the first one is, by {@link System#nanoTime()}
 * @param perSecond how many in a second
 */
record Pace(long beginNanos, double perSecond) {
    private static final double NANOS_PER_SECOND = 1e9;

    Pace {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("a pace needs a rate above 0, perSecond=" + perSecond);
        }
    }

    /** When one is to begin, counted from 0. */
    long at(long number) {
        return beginNanos + Math.round(number * NANOS_PER_SECOND / perSecond);
    }

    /** Whether that moment has come. */
    boolean isDue(long number, long now) {
        return at(number) - now <= 0;
    }
}
