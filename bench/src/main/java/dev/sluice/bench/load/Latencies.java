package dev.sluice.bench.load;

import java.util.Arrays;
import java.util.Map;

/**
 * How long round trips took, each from the moment at which it was to begin: a generator or a server that falls behind
 * makes those that wait longer, and hides none (no coordinated omission).
 *
 * @param p50 half took no longer, in nanoseconds
 * @param p99 99 in 100 took no longer
 * @param p999 999 in 1,000 took no longer
 * @param late of 99 in 100 the generator sent no later than this after the moment; far below {@code p50}, or the figures
 *     say more of the generator than of the server
 */
public record Latencies(long p50, long p99, long p999, long late) {
    /**
     * Sums up.
     *
     * @param nanos of every round trip; at least one; sorted by this
     * @param lateNanos how late each was sent; at least one; sorted by this
     */
    static Latencies of(long[] nanos, long[] lateNanos) {
        Arrays.sort(nanos);
        Arrays.sort(lateNanos);
        return new Latencies(
                percentile(nanos, 0.5), percentile(nanos, 0.99), percentile(nanos, 0.999), percentile(lateNanos, 0.99));
    }

    /**
     * The least figure that so large a part of all does not exceed (nearest rank): always one that was measured.
     *
     * @param part of all, above 0, at most 1
     */
    public static long percentile(long[] sorted, double part) {
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no figures, no percentiles");
        }
        // Less a hair, since 0.99 × 100 is a little more than 99 in binary.
        int rank = (int) Math.ceil(part * sorted.length - 1e-6);
        return sorted[Math.clamp(rank, 1, sorted.length) - 1];
    }

    /** The words of an answer. */
    String toWords() {
        return "p50=" + p50 + " p99=" + p99 + " p999=" + p999 + " late=" + late;
    }

    /** Reads the words of an answer. */
    static Latencies parse(Map<String, String> words) {
        return new Latencies(
                Long.parseLong(LoadRequest.word(words, "p50")),
                Long.parseLong(LoadRequest.word(words, "p99")),
                Long.parseLong(LoadRequest.word(words, "p999")),
                Long.parseLong(LoadRequest.word(words, "late")));
    }
}
