package dev.sluice.gateway.outcome;

import dev.sluice.ffi.libc.CounterRegion;
import dev.sluice.gateway.metrics.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A histogram of durations in slots of a region, with buckets from a quarter of a millisecond to ten seconds. Written
 * by the thread that owns the region, read by any.
 *
 * <pre>
 *   slots:   | at most 250 µs | ... | at most 10 s | more | sum in ns |
 * </pre>
 */
final class TimeHistogram {
    private static final List<Double> BOUNDS = List.of(
            0.000_25, 0.000_5, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

    private static final long[] BOUND_NANOS = BOUNDS.stream()
            .mapToLong(bound -> Math.round(bound * TimeUnit.SECONDS.toNanos(1)))
            .toArray();

    private static final int MORE = BOUND_NANOS.length;
    private static final int SUM = MORE + 1;

    /** The number of slots that a histogram needs. */
    static final int SLOTS = SUM + 1;

    private TimeHistogram() {}

    /**
     * Counts one observation.
     *
     * @param firstSlot the first of {@link #SLOTS} slots
     */
    static void observe(CounterRegion region, int firstSlot, long nanos) {
        int bucket = 0;
        while (bucket < MORE && nanos > BOUND_NANOS[bucket]) {
            bucket++;
        }
        region.add(firstSlot + bucket, 1);
        region.add(firstSlot + SUM, Math.max(0, nanos));
    }

    /**
     * Returns the distribution that slots hold.
     *
     * @param slots values read from one region, or sums over several
     * @param first the first of {@link #SLOTS} slots
     */
    static Distribution distribution(long[] slots, int first) {
        List<Long> buckets = new ArrayList<>();
        long all = slots[first + MORE];
        for (int bucket = 0; bucket < MORE; bucket++) {
            buckets.add(slots[first + bucket]);
            all += slots[first + bucket];
        }
        return new Distribution(BOUNDS, buckets, all, slots[first + SUM] / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
