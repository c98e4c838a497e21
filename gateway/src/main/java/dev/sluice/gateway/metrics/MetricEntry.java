package dev.sluice.gateway.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The declaration of one metric while {@link Metric} is initialized. A metric that says nothing of event loops is read
 * by a {@link MetricCollector} when a snapshot is taken.
 */
final class MetricEntry {
    final String id;
    final MetricType type;
    final String help;
    final List<String> labels = new ArrayList<>();
    String details = "";
    Metric.Counted counted = Metric.Counted.NOT_BY_LOOPS;
    int rowsMax;
    List<String> columns = List.of("");

    private MetricEntry(String id, MetricType type, String help) {
        this.id = id;
        this.type = type;
        this.help = help;
    }

    static MetricEntry counter(String id, String help) {
        return new MetricEntry(id, MetricType.COUNTER, help);
    }

    static MetricEntry gauge(String id, String help) {
        return new MetricEntry(id, MetricType.GAUGE, help);
    }

    static MetricEntry histogram(String id, String help) {
        return new MetricEntry(id, MetricType.HISTOGRAM, help);
    }

    static MetricEntry info(String id, String help) {
        return new MetricEntry(id, MetricType.INFO, help);
    }

    /** Adds sentences in Markdown that docs/metrics.md has after the help text. */
    MetricEntry details(String markdown) {
        details = markdown;
        return this;
    }

    /** Names the labels of a metric that loops do not count. */
    MetricEntry labels(String... names) {
        labels.addAll(List.of(names));
        return this;
    }

    /** Has each loop count it in one slot. */
    MetricEntry perLoop() {
        counted = Metric.Counted.IN_SLOTS;
        return this;
    }

    /** Has each loop count it in one slot, or one histogram, for each value of a label. */
    MetricEntry perLoopBy(String label, Class<? extends Enum<?>> values) {
        return perLoop().by(label, values);
    }

    /**
     * Has each loop count it in rows, one for each combination of label values that occurs.
     *
     * @param most rows; further combinations share a row whose labels are all {@code other}
     */
    MetricEntry perLoopInRows(int most, String... names) {
        counted = Metric.Counted.IN_ROWS;
        rowsMax = most;
        return labels(names);
    }

    /** Has each loop count it in the row of a server, which all such metrics share. */
    MetricEntry perServer() {
        counted = Metric.Counted.IN_SERVER_ROWS;
        return labels("backend", "server");
    }

    /** The same by the values of one more label. */
    MetricEntry perServerBy(String label, Class<? extends Enum<?>> values) {
        return perServer().by(label, values);
    }

    private MetricEntry by(String label, Class<? extends Enum<?>> values) {
        columns = Arrays.stream(values.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        return labels(label);
    }
}
