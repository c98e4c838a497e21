package dev.sluice.gateway.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One series of a metric at one time.
 *
 * @param labelValues in the order of the family's label names
 * @param value of a counter or gauge; 1 of an info; the number of observations of a histogram
 * @param distribution of a histogram; null of all others
 */
public record MetricSample(
        List<String> labelValues, double value, @Nullable Distribution distribution) {
    /** Copies the labels. */
    public MetricSample {
        labelValues = List.copyOf(labelValues);
    }

    /** A sample of a counter or gauge. */
    public static MetricSample of(double value, String... labelValues) {
        return new MetricSample(List.of(labelValues), value, null);
    }

    /** A sample of a histogram. */
    public static MetricSample of(Distribution distribution, String... labelValues) {
        return new MetricSample(List.of(labelValues), distribution.count(), distribution);
    }
}
