package dev.sluice.gateway.metrics;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A selection of the series of one metric in a snapshot. Immutable.
 *
 * @param metric the metric
 * @param samples the selected series
 */
public record MetricSeries(Metric metric, List<MetricSample> samples) {
    /** Copies the samples. */
    public MetricSeries {
        samples = List.copyOf(samples);
    }

    /** Returns those whose label has a value that matches; none if the metric has no such label. */
    public MetricSeries with(String label, Predicate<String> value) {
        return filter(sample -> value.test(label(sample, label)));
    }

    /** Returns those whose own value matches. */
    public MetricSeries whose(Predicate<Double> value) {
        return filter(sample -> value.test(sample.value()));
    }

    private MetricSeries filter(Predicate<MetricSample> selected) {
        return new MetricSeries(metric, samples.stream().filter(selected).toList());
    }

    /** Returns the sum of their values. */
    public double sum() {
        return samples.stream().mapToDouble(MetricSample::value).sum();
    }

    /** Returns the number of series. */
    public int count() {
        return samples.size();
    }

    /** Returns the distinct values of a label in order. */
    public List<String> values(String label) {
        return samples.stream()
                .map(sample -> label(sample, label))
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the series with the least value. */
    public Optional<MetricSample> least() {
        return samples.stream().min(Comparator.comparingDouble(MetricSample::value));
    }

    /** Returns the sample with the greatest value. */
    public Optional<MetricSample> most() {
        return samples.stream().max(Comparator.comparingDouble(MetricSample::value));
    }

    /** Returns a label's value; empty if the metric has no such label. */
    public String label(MetricSample sample, String label) {
        int index = metric.labels().indexOf(label);
        return index < 0 ? "" : sample.labelValues().get(index);
    }
}
