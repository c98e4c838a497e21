package dev.sluice.transfer.move;

import java.time.Duration;

/**
 * The limits within which the side that connects opens a lost stream again.
 *
 * @param attempts the most attempts in a row without an answer delivered between them; 0 to give up at once
 * @param firstDelay the time before the first one; each further one waits twice as long
 * @param longestDelay the most time before an attempt
 */
public record Reconnection(int attempts, Duration firstDelay, Duration longestDelay) {
    /** The defaults: gives up after 11 seconds without a connection. */
    public static final Reconnection DEFAULT = new Reconnection(6, Duration.ofMillis(200), Duration.ofSeconds(5));

    /** No attempt: a stream that is lost is not opened again. */
    public static final Reconnection NONE = new Reconnection(0, Duration.ofMillis(1), Duration.ofMillis(1));

    /** The time for which a target that accepts waits for the first stream to return. */
    public static final Duration RETURN_LIMIT = Duration.ofSeconds(60);

    private static final int DOUBLINGS_MAX = 20;

    /** Checks the values. */
    public Reconnection {
        if (attempts < 0 || !firstDelay.isPositive() || longestDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException("attempts=" + attempts + ", firstDelay=" + firstDelay + ", longestDelay="
                    + longestDelay + "; delays are positive, and the longest one is not shorter than the first");
        }
    }

    /** Returns the time before an attempt, counted from 1. */
    Duration delay(int attempt) {
        Duration doubled = firstDelay.multipliedBy(1L << Math.min(attempt - 1, DOUBLINGS_MAX));
        return doubled.compareTo(longestDelay) < 0 ? doubled : longestDelay;
    }
}
