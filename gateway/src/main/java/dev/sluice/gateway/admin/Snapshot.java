package dev.sluice.gateway.admin;

import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricFamily;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the dashboard and {@code sluice top} show, as JSON: counters by one or two labels (with what the last minute brought),
 * tables of figures by the things that they are of, alerts, and the values of the history. It knows which metrics belong together,
 * and nothing of how they are drawn.
 *
 * @param page all metrics now
 * @param before the counters a minute ago
 * @param alerts how they stand
 * @param state what the gateway is doing
 */
record Snapshot(MetricPage page, MetricPage before, List<AlertStatus> alerts, Administered.State state) {
    /** Rows of a table that are sent; with thousands of certificates nobody could look through the rest. */
    static final int ROWS_MAX = 100;

    /** Counters of a panel: a metric, and the labels by which it is told apart; what differs in others alone is added up. */
    record Count(String panel, Metric metric, List<String> labels) {}

    static final List<Count> COUNTS = List.of(
            new Count("kinds", Metric.TLS_HANDSHAKES, List.of("kind")),
            new Count("versions", Metric.TLS_HANDSHAKES, List.of("version")),
            new Count("ciphers", Metric.TLS_HANDSHAKES, List.of("cipher")),
            new Count("groups", Metric.TLS_HANDSHAKES, List.of("group")),
            new Count("signatures", Metric.TLS_HANDSHAKES, List.of("signature")),
            new Count("preferences", Metric.TLS_CLIENT_PREFERENCE, List.of("cipher")),
            new Count("failures", Metric.TLS_HANDSHAKE_FAILURES, List.of("reason", "fault")),
            new Count("ends", Metric.CONNECTION_ENDS, List.of("reason")),
            new Count("misses", Metric.TLS_RESUMPTION_MISSES, List.of("reason")),
            new Count("tickets", Metric.TLS_TICKETS, List.of("result")),
            new Count("early_data", Metric.TLS_EARLY_DATA, List.of("result")),
            new Count("engines", Metric.TLS_ENGINE, List.of("engine", "reason")),
            new Count("crypto", Metric.TLS_CRYPTO_CPU, List.of("phase")));

    /** A panel's table: metrics that have a row for each combination of some labels; their names begin alike. */
    private record Table(String panel, String prefix, List<String> rowLabels, List<Metric> metrics) {
        /** Of all metrics with these labels whose names begin like this. */
        static Table of(String panel, String prefix, String... rowLabels) {
            List<String> labels = List.of(rowLabels);
            List<Metric> metrics = Arrays.stream(Metric.values())
                    .filter(metric -> metric.family().startsWith(prefix)
                            && metric.labels().containsAll(labels))
                    .toList();
            return new Table(panel, prefix, labels, metrics);
        }
    }

    private static final List<Table> TABLES = List.of(
            Table.of("backends", "sluice_backend_", "backend", "server"),
            Table.of("certificates", "sluice_tls_", "name", "key_type"),
            Table.of("keys", "sluice_tls_ticket_", "state"),
            Table.of("loops", "sluice_loop_", "loop"),
            Table.of("memory", "sluice_memory_", "owner"),
            Table.of("heap", "jvm_memory_", "area"));

    /** Writes everything but the points of the history, between the braces of an object. */
    void writeTo(JsonBuilder json, History history) {
        json.name("time").value(page.time().toEpochMilli());
        json.name("state").value(state.name().toLowerCase(Locale.ROOT));
        json.name("series").beginObject();
        for (Series series : Series.values()) {
            json.name(series.word()).value((float) history.last(series));
        }
        json.endObject();
        writeAlerts(json.name("alerts"));
        json.name("counts").beginObject();
        COUNTS.forEach(count -> write(json.name(count.panel()), count));
        json.endObject().name("tables").beginObject();
        TABLES.forEach(table -> write(json.name(table.panel()), table));
        json.endObject();
        writeFigures(json.name("figures"));
        writeInfo(json.name("info"));
    }

    private void writeAlerts(JsonBuilder json) {
        json.beginArray();
        for (AlertStatus alert : alerts) {
            json.beginObject();
            json.name("name").value(alert.name());
            json.name("state").value(alert.state().word());
            json.name("value").value(alert.value());
            json.name("threshold").value(alert.threshold());
            json.name("unit").value(alert.unit());
            json.name("since").value(alert.since().toEpochMilli());
            json.name("message").value(alert.message());
            json.name("advice").beginArray();
            alert.advice().forEach(json::value);
            json.endArray().endObject();
        }
        json.endArray();
    }

    /**
     * As {@code [{"name": "timeout", "detail": "peer", "recent": 12, "total": 345}, …]}, the most frequent first. Detail is the
     * value of the second label, and absent where there is one label.
     */
    private void write(JsonBuilder json, Count count) {
        Map<List<String>, Double> earlier = sums(before, count);
        json.beginArray();
        sums(page, count).entrySet().stream()
                .sorted(Map.Entry.<List<String>, Double>comparingByValue().reversed())
                .limit(ROWS_MAX)
                .forEach(sum -> {
                    json.beginObject().name("name").value(sum.getKey().getFirst());
                    if (sum.getKey().size() > 1) {
                        json.name("detail").value(sum.getKey().get(1));
                    }
                    json.name("recent").value(Math.max(0, sum.getValue() - earlier.getOrDefault(sum.getKey(), 0.0)));
                    json.name("total").value(sum.getValue()).endObject();
                });
        json.endArray();
    }

    private static Map<List<String>, Double> sums(MetricPage page, Count count) {
        Map<List<String>, Double> sums = new LinkedHashMap<>();
        for (MetricSample sample : page.samples(count.metric().family())) {
            sums.merge(valuesOf(count.labels(), count.metric().labels(), sample), sample.value(), Double::sum);
        }
        return sums;
    }

    private static List<String> valuesOf(List<String> wanted, List<String> names, MetricSample sample) {
        return wanted.stream()
                .map(label -> sample.labelValues().get(names.indexOf(label)))
                .toList();
    }

    /**
     * As {@code [{"labels": {"backend": "web", "server": "127.0.0.1:8080"}, "figures": {"up": 1, …}}, …]}. The value of another label
     * is added to a figure's name: {@code handshakes_total.full}.
     */
    private void write(JsonBuilder json, Table table) {
        Map<List<String>, Map<String, Double>> rows = new TreeMap<>(Comparator.comparing(List::toString));
        for (Metric metric : table.metrics()) {
            page.samples(metric.family()).forEach(sample -> add(rows, table, metric, sample));
        }
        json.beginArray();
        rows.entrySet().stream().limit(ROWS_MAX).forEach(row -> {
            writeLabels(json.beginObject().name("labels"), table.rowLabels(), row.getKey());
            json.name("figures").beginObject();
            row.getValue().forEach((name, value) -> json.name(name).value(value));
            json.endObject().endObject();
        });
        json.endArray();
    }

    private static void add(
            Map<List<String>, Map<String, Double>> rows, Table table, Metric metric, MetricSample sample) {
        StringBuilder figure =
                new StringBuilder(metric.family().substring(table.prefix().length()));
        for (int i = 0; i < metric.labels().size(); i++) {
            if (!table.rowLabels().contains(metric.labels().get(i))) {
                figure.append('.').append(sample.labelValues().get(i));
            }
        }
        rows.computeIfAbsent(valuesOf(table.rowLabels(), metric.labels(), sample), _ -> new LinkedHashMap<>())
                .merge(figure.toString(), sample.value(), Double::sum);
    }

    private static void writeLabels(JsonBuilder json, List<String> names, List<String> values) {
        json.beginObject();
        for (int i = 0; i < names.size(); i++) {
            json.name(names.get(i)).value(values.get(i));
        }
        json.endObject();
    }

    /** Metrics without labels, by their names. */
    private void writeFigures(JsonBuilder json) {
        json.beginObject();
        for (MetricFamily family : page.families()) {
            if (family.labelNames().isEmpty() && family.samples().size() == 1) {
                json.name(family.name()).value(family.samples().getFirst().value());
            }
        }
        json.endObject();
    }

    /** What stands in the labels of infos, such as {@code {"sluice_build_info": {"version": "0.1.0"}}}. */
    private void writeInfo(JsonBuilder json) {
        json.beginObject();
        for (MetricFamily family : page.families()) {
            if (family.type() == MetricType.INFO && !family.samples().isEmpty()) {
                writeLabels(
                        json.name(family.name()),
                        family.labelNames(),
                        family.samples().getFirst().labelValues());
            }
        }
        json.endObject();
    }
}
