package dev.sluice.bench.load;

import java.util.Arrays;
import java.util.Map;

/**
 * The latencies of round trips, each from its scheduled start: a late generator or server increases later latencies
 * instead of hiding them (no coordinated omission).
 *
 * @param p50 median in nanoseconds
 * @param p99 99th percentile
 * @param p999 99.9th percentile
 * @param late 99th percentile of the generator's delay; must be far below {@code p50}, or the figures reflect the
 *     generator instead of the server
 */
public record Latencies(long p50, long p99, long p999, long late) {
    /**
     * Summarizes latencies.
     *
     * @param nanos latency of every round trip; at least one; sorted in place
     * @param lateNanos delay of every send; at least one; sorted in place
     */
    static Latencies of(long[] nanos, long[] lateNanos) {
        Arrays.sort(nanos);
        Arrays.sort(lateNanos);
        return new Latencies(
                percentile(nanos, 0.5), percentile(nanos, 0.99), percentile(nanos, 0.999), percentile(lateNanos, 0.99));
    }

    /**
     * Returns the percentile by nearest rank, which is always a measured value.
     *
     * @param part fraction, above 0, at most 1
     */
    public static long percentile(long[] sorted, double part) {
        if (sorted.length == 0) {
            throw new IllegalArgumentException("percentiles require at least one figure");
        }
        // Slightly less, since 0.99 × 100 is a little more than 99 in binary.
        int rank = (int) Math.ceil(part * sorted.length - 1e-6);
        return sorted[Math.clamp(rank, 1, sorted.length) - 1];
    }

    /** Returns the words of an answer. */
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
