package dev.sluice.gateway.metrics;

import java.util.List;

/**
 * The observations of a histogram since the start.
 *
 * @param upperBounds of the buckets, ascending, in the metric's unit; only {@code count} includes observations
 *     above the last one
 * @param counts observations in each bucket, not cumulative; as many as bounds
 * @param count all observations
 * @param sum of all observations, in the metric's unit
 */
public record Distribution(List<Double> upperBounds, List<Long> counts, long count, double sum) {
    /** Checks that each bucket has a bound. */
    public Distribution {
        upperBounds = List.copyOf(upperBounds);
        counts = List.copyOf(counts);
        if (upperBounds.size() != counts.size()) {
            throw new IllegalArgumentException(upperBounds.size() + " bounds for " + counts.size() + " buckets");
        }
    }
}
