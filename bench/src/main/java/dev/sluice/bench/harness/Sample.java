package dev.sluice.bench.harness;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one round of one treatment.
 *
 * @param values by metric, in the order they were added
 */
public record Sample(Map<Metric, Double> values) {
    /** Copies, preserving the order. */
    public Sample {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Returns a sample of one metric. */
    public static Sample of(Metric metric, double value) {
        return new Sample(Map.of(metric, value));
    }

    /** Returns this sample with one more metric. */
    public Sample with(Metric metric, double value) {
        Map<Metric, Double> more = new LinkedHashMap<>(values);
        more.put(metric, value);
        return new Sample(more);
    }

    /**
     * Returns the value of one metric.
     *
     * @throws IllegalArgumentException when the metric was not measured
     */
    public double value(Metric metric) {
        Double value = values.get(metric);
        if (value == null) {
            throw new IllegalArgumentException("not measured, metric=" + metric.key() + ", sample=" + values.keySet());
        }
        return value;
    }
}
