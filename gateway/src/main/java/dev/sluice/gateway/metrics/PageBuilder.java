package dev.sluice.gateway.metrics;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects the samples of one page. Every metric of the catalogue is on it, if need be without a sample. Not thread-safe. */
public final class PageBuilder {
    private final Map<Metric, List<MetricSample>> samples = new EnumMap<>(Metric.class);

    /** Makes an empty one. */
    public PageBuilder() {}

    /**
     * Adds a series.
     *
     * @param labelValues one for each of the metric's labels
     */
    public PageBuilder add(Metric metric, double value, String... labelValues) {
        return add(metric, MetricSample.of(value, labelValues));
    }

    /** The same of a whole number, which is exact up to 2^53. */
    public PageBuilder add(Metric metric, long value, String... labelValues) {
        return add(metric, (double) value, labelValues);
    }

    /** Adds the series of an info. */
    public PageBuilder info(Metric metric, String... labelValues) {
        return add(metric, 1, labelValues);
    }

    /** Adds a series. */
    public PageBuilder add(Metric metric, MetricSample sample) {
        samples.computeIfAbsent(metric, key -> new ArrayList<>()).add(sample);
        return this;
    }

    /**
     * Makes the page.
     *
     * @param time when the figures were read
     */
    public MetricPage build(Instant time) {
        List<MetricFamily> families = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            families.add(new MetricFamily(
                    metric.family(),
                    metric.type(),
                    metric.help(),
                    metric.labels(),
                    samples.getOrDefault(metric, List.of())));
        }
        return new MetricPage(time, families);
    }
}
