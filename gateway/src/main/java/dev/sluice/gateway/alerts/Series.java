package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricFamily;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSample;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Some series of one metric on a page. Immutable. */
final class Series {
    private final @Nullable MetricFamily family;
    private final List<MetricSample> samples;

    private Series(@Nullable MetricFamily family, List<MetricSample> samples) {
        this.family = family;
        this.samples = samples;
    }

    /** All series of a metric; none where the page has no such metric. */
    static Series of(MetricPage page, Metric metric) {
        return page.families().stream()
                .filter(family -> family.name().equals(metric.family()))
                .findFirst()
                .map(family -> new Series(family, family.samples()))
                .orElseGet(() -> new Series(null, List.of()));
    }

    /** Those of them whose label has a value that passes; none where there is no such label. */
    Series with(String label, Predicate<String> value) {
        return new Series(
                family,
                samples.stream()
                        .filter(sample -> value.test(label(sample, label)))
                        .toList());
    }

    /** Those of them whose own value passes. */
    Series whose(Predicate<Double> value) {
        return new Series(
                family,
                samples.stream().filter(sample -> value.test(sample.value())).toList());
    }

    /** Each of them. */
    List<MetricSample> samples() {
        return samples;
    }

    /** Their values together. */
    double sum() {
        return samples.stream().mapToDouble(MetricSample::value).sum();
    }

    /** How many there are. */
    int count() {
        return samples.size();
    }

    /** The different values of a label, in order. */
    List<String> values(String label) {
        return samples.stream()
                .map(sample -> label(sample, label))
                .distinct()
                .sorted()
                .toList();
    }

    /** The one with the least value. */
    Optional<MetricSample> least() {
        return samples.stream().min(Comparator.comparingDouble(MetricSample::value));
    }

    /** A label of one of them; empty where there is no such label. */
    String label(MetricSample sample, String label) {
        int index = family == null ? -1 : family.labelNames().indexOf(label);
        return index < 0 ? "" : sample.labelValues().get(index);
    }
}
