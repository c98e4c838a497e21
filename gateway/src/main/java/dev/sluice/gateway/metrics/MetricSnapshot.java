package dev.sluice.gateway.metrics;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The series of all metrics at one time. Immutable. */
public final class MetricSnapshot {
    private final Instant time;
    private final Map<Metric, List<MetricSample>> samples = new EnumMap<>(Metric.class);

    private MetricSnapshot(Instant time, Map<Metric, List<MetricSample>> samples) {
        this.time = time;
        samples.forEach((metric, all) -> this.samples.put(metric, List.copyOf(all)));
    }

    /** A collector of the samples of one snapshot. Not thread-safe. */
    public static final class Builder {
        private final Map<Metric, List<MetricSample>> samples = new EnumMap<>(Metric.class);

        /** Makes a builder without samples. */
        public Builder() {}

        /**
         * Adds a series.
         *
         * @param labelValues one for each of the metric's labels
         */
        public Builder add(Metric metric, double value, String... labelValues) {
            return add(metric, MetricSample.of(value, labelValues));
        }

        /** Adds a series with an integer value, which is exact up to 2^53. */
        public Builder add(Metric metric, long value, String... labelValues) {
            return add(metric, (double) value, labelValues);
        }

        /** Adds the series of an info. */
        public Builder info(Metric metric, String... labelValues) {
            return add(metric, 1, labelValues);
        }

        /**
         * Adds a series.
         *
         * @throws IllegalArgumentException if it has too many or too few label values
         */
        public Builder add(Metric metric, MetricSample sample) {
            if (sample.labelValues().size() != metric.labels().size()) {
                throw new IllegalArgumentException(
                        metric.id() + metric.labels() + " has a sample " + sample.labelValues());
            }
            samples.computeIfAbsent(metric, key -> new ArrayList<>()).add(sample);
            return this;
        }

        /**
         * Returns the snapshot.
         *
         * @param time when the values were read
         */
        public MetricSnapshot build(Instant time) {
            return new MetricSnapshot(time, samples);
        }
    }

    /** Returns the time when the values were read. */
    public Instant time() {
        return time;
    }

    /** Returns a snapshot of some of the metrics at the same time. */
    public MetricSnapshot only(Set<Metric> metrics) {
        Map<Metric, List<MetricSample>> kept = new EnumMap<>(samples);
        kept.keySet().retainAll(metrics);
        return new MetricSnapshot(time, kept);
    }

    /** Returns the series of a metric; none if nothing has been counted. */
    public List<MetricSample> samples(Metric metric) {
        return samples.getOrDefault(metric, List.of());
    }

    /** Returns the series of a metric, to be filtered by labels and values. */
    public MetricSeries series(Metric metric) {
        return new MetricSeries(metric, samples(metric));
    }

    /**
     * Returns the sum of all series of a metric that have certain labels.
     *
     * @param labels names and values by turns, such as {@code "kind", "full"}
     * @return 0 if there is no such series
     */
    public double sum(Metric metric, String... labels) {
        MetricSeries series = series(metric);
        for (int i = 0; i < labels.length; i += 2) {
            series = series.with(labels[i], labels[i + 1]::equals);
        }
        return series.sum();
    }

    /** Returns {@link #sum} of a metric whose values are integers. */
    public long count(Metric metric, String... labels) {
        return Math.round(sum(metric, labels));
    }

    /** Returns the sums of a metric's series by the value of one label, in the order of the values. */
    public Map<String, Long> countBy(Metric metric, String label) {
        MetricSeries series = series(metric);
        Map<String, Long> counts = new TreeMap<>();
        for (MetricSample sample : series.samples()) {
            counts.merge(series.label(sample, label), Math.round(sample.value()), Long::sum);
        }
        return counts;
    }
}
