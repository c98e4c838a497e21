package dev.sluice.gateway.metrics;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All metrics at one time. Immutable. */
public final class MetricPage {
    private final Instant time;
    private final Map<String, MetricFamily> families = new LinkedHashMap<>();

    /**
     * Makes a page of families with different names.
     *
     * @param time when they were read
     */
    public MetricPage(Instant time, List<MetricFamily> families) {
        this.time = time;
        for (MetricFamily family : families) {
            if (this.families.put(family.name(), family) != null) {
                throw new IllegalArgumentException("two metrics are named " + family.name());
            }
        }
    }

    /** When the figures were read. */
    public Instant time() {
        return time;
    }

    /** The metrics in the order of the page. */
    public List<MetricFamily> families() {
        return List.copyOf(families.values());
    }

    /** The series of a metric; none when there is no such metric. */
    public List<MetricSample> samples(String name) {
        MetricFamily family = families.get(name);
        return family == null ? List.of() : family.samples();
    }

    /**
     * The sum of all series of a metric that have certain labels.
     *
     * @param labels names and values by turns, such as {@code "kind", "full"}
     * @return 0 when there is no such series
     */
    public double sum(String name, String... labels) {
        MetricFamily family = families.get(name);
        if (family == null) {
            return 0;
        }
        return family.samples().stream()
                .filter(sample -> matches(family, sample, labels))
                .mapToDouble(MetricSample::value)
                .sum();
    }

    /** Sums of a metric's series by the value of one label, in the order of the values. */
    public Map<String, Double> sumBy(String name, String label) {
        Map<String, Double> sums = new TreeMap<>();
        MetricFamily family = families.get(name);
        if (family != null) {
            int index = family.labelNames().indexOf(label);
            for (MetricSample sample : family.samples()) {
                String key = index < 0 ? "" : sample.labelValues().get(index);
                sums.merge(key, sample.value(), Double::sum);
            }
        }
        return sums;
    }

    private static boolean matches(MetricFamily family, MetricSample sample, String... labels) {
        for (int i = 0; i < labels.length; i += 2) {
            int index = family.labelNames().indexOf(labels[i]);
            if (index < 0 || !sample.labelValues().get(index).equals(labels[i + 1])) {
                return false;
            }
        }
        return true;
    }
}
