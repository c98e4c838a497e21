package dev.sluice.gateway.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of one series at one time.
 *
 * @param labelValues in the order of {@link Metric#labels()}
 * @param value of a counter or gauge; 1 for an info; the number of observations of a histogram
 * @param distribution of a histogram; null for all other types
 */
public record MetricSample(
        List<String> labelValues, double value, @Nullable Distribution distribution) {
    /** Copies the label values. */
    public MetricSample {
        labelValues = List.copyOf(labelValues);
    }

    /** Returns a sample of a counter or gauge. */
    static MetricSample of(double value, String... labelValues) {
        return new MetricSample(List.of(labelValues), value, null);
    }

    /** Returns a sample of a histogram. */
    static MetricSample of(Distribution distribution, String... labelValues) {
        return new MetricSample(List.of(labelValues), distribution.count(), distribution);
    }
}
