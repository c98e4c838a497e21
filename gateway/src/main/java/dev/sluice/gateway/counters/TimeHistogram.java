package dev.sluice.gateway.counters;

import dev.sluice.ffi.CounterRegion;
import dev.sluice.gateway.metrics.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long something took, in buckets from a quarter of a millisecond to ten seconds. Observed by the thread that owns the
 * region, read by any.
 *
 * <pre>
 *   slots:   | at most 250 µs | ... | at most 10 s | more | sum in ns |
 * </pre>
 */
public final class TimeHistogram {
    private static final List<Double> BOUNDS = List.of(
            0.000_25, 0.000_5, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

    private static final long[] BOUND_NANOS = BOUNDS.stream()
            .mapToLong(bound -> Math.round(bound * TimeUnit.SECONDS.toNanos(1)))
            .toArray();

    private static final int MORE = BOUND_NANOS.length;
    private static final int SUM = MORE + 1;

    /** How many slots a histogram needs. */
    public static final int SLOTS = SUM + 1;

    private final CounterRegion region;
    private final int firstSlot;

    /** Makes a histogram in {@link #SLOTS} slots of a region. */
    public TimeHistogram(CounterRegion region, int firstSlot) {
        this.region = region;
        this.firstSlot = firstSlot;
    }

    /** Something took so long. */
    public void observe(long nanos) {
        int bucket = 0;
        while (bucket < MORE && nanos > BOUND_NANOS[bucket]) {
            bucket++;
        }
        region.add(firstSlot + bucket, 1);
        region.add(firstSlot + SUM, Math.max(0, nanos));
    }

    /** What several have observed together. */
    public static Distribution sum(List<TimeHistogram> histograms) {
        long[] counts = new long[SLOTS];
        for (TimeHistogram histogram : histograms) {
            for (int slot = 0; slot < SLOTS; slot++) {
                counts[slot] += histogram.region.get(histogram.firstSlot + slot);
            }
        }
        List<Long> buckets = new ArrayList<>();
        long all = counts[MORE];
        for (int bucket = 0; bucket < MORE; bucket++) {
            buckets.add(counts[bucket]);
            all += counts[bucket];
        }
        return new Distribution(BOUNDS, buckets, all, counts[SUM] / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
