package dev.sluice.gateway.admin;

import dev.sluice.config.json.Json;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.metrics.MetricType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * The JSON that the dashboard and {@code sluice top} show: counters by one or two labels (with the increase in the last
 * minute), tables of metrics with common labels, alerts, and the values of the history. It groups the metrics; drawing
 * them is left to the clients.
 *
 * @param now all metrics
 * @param before the counters a minute ago
 * @param alerts the states of the alerts
 * @param state the state of the gateway
 */
record Snapshot(MetricSnapshot now, MetricSnapshot before, List<AlertStatus> alerts, Administered.State state) {
    /** The most rows of a table that are sent. */
    static final int ROWS_MAX = 100;

    /**
     * The counters of a panel: a metric, and the labels by which it is split; series that differ in other labels are
     * added up.
     */
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

    /** A table of a panel: metrics with a common prefix and a row for each combination of some labels. */
    private record Table(String panel, String prefix, List<String> rowLabels, List<Metric> metrics) {
        /** Returns the table of all metrics with a prefix and labels. */
        static Table of(String panel, String prefix, String... rowLabels) {
            List<String> labels = List.of(rowLabels);
            List<Metric> metrics = Arrays.stream(Metric.values())
                    .filter(metric ->
                            metric.id().startsWith(prefix) && metric.labels().containsAll(labels))
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

    /** Writes all members but the points of the history into an open object. */
    void writeTo(JsonGenerator json, History history) {
        json.writeNumberProperty("time", now.time().toEpochMilli());
        json.writeStringProperty("state", state.name().toLowerCase(Locale.ROOT));
        json.writeObjectPropertyStart("series");
        for (Series series : Series.values()) {
            Json.number(json.writeName(series.word()), (float) history.last(series));
        }
        json.writeEndObject();
        writeAlerts(json);
        json.writeObjectPropertyStart("counts");
        COUNTS.forEach(count -> write(json, count));
        json.writeEndObject();
        json.writeObjectPropertyStart("tables");
        TABLES.forEach(table -> write(json, table));
        json.writeEndObject();
        writeFigures(json);
        writeInfo(json);
    }

    private void writeAlerts(JsonGenerator json) {
        json.writeArrayPropertyStart("alerts");
        for (AlertStatus alert : alerts) {
            json.writeStartObject();
            json.writeStringProperty("name", alert.name());
            json.writeStringProperty("state", alert.state().word());
            Json.number(json.writeName("value"), alert.value());
            Json.number(json.writeName("threshold"), alert.threshold());
            json.writeStringProperty("unit", alert.unit());
            json.writeNumberProperty("since", alert.since().toEpochMilli());
            json.writeStringProperty("message", alert.message());
            json.writeArrayPropertyStart("advice");
            alert.advice().forEach(json::writeString);
            json.writeEndArray().writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Writes {@code [{"name": "timeout", "detail": "peer", "recent": 12, "total": 345}, …]}, the most frequent first,
     * without zeros. {@code detail} is the value of the second label, and absent if there is one label only.
     */
    private void write(JsonGenerator json, Count count) {
        Map<List<String>, Double> earlier = sums(before, count);
        json.writeArrayPropertyStart(count.panel());
        sums(now, count).entrySet().stream()
                .filter(sum -> sum.getValue() > 0)
                .sorted(Map.Entry.<List<String>, Double>comparingByValue().reversed())
                .limit(ROWS_MAX)
                .forEach(sum -> {
                    json.writeStartObject();
                    json.writeStringProperty("name", sum.getKey().getFirst());
                    if (sum.getKey().size() > 1) {
                        json.writeStringProperty("detail", sum.getKey().get(1));
                    }
                    double recent = sum.getValue() - earlier.getOrDefault(sum.getKey(), 0.0);
                    Json.number(json.writeName("recent"), Math.max(0, recent));
                    Json.number(json.writeName("total"), sum.getValue());
                    json.writeEndObject();
                });
        json.writeEndArray();
    }

    private static Map<List<String>, Double> sums(MetricSnapshot snapshot, Count count) {
        Map<List<String>, Double> sums = new LinkedHashMap<>();
        for (MetricSample sample : snapshot.samples(count.metric())) {
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
     * Writes {@code [{"labels": {"backend": "web", "server": "127.0.0.1:8080"}, "figures": {"up": 1, …}}, …]}. The
     * values of other labels are appended to a figure's name: {@code handshakes_total.full}.
     */
    private void write(JsonGenerator json, Table table) {
        Map<List<String>, Map<String, Double>> rows = new TreeMap<>(Comparator.comparing(List::toString));
        for (Metric metric : table.metrics()) {
            now.samples(metric).forEach(sample -> add(rows, table, metric, sample));
        }
        json.writeArrayPropertyStart(table.panel());
        rows.entrySet().stream().limit(ROWS_MAX).forEach(row -> {
            json.writeStartObject();
            writeLabels(json, "labels", table.rowLabels(), row.getKey());
            json.writeObjectPropertyStart("figures");
            row.getValue().forEach((name, value) -> Json.number(json.writeName(name), value));
            json.writeEndObject().writeEndObject();
        });
        json.writeEndArray();
    }

    private static void add(
            Map<List<String>, Map<String, Double>> rows, Table table, Metric metric, MetricSample sample) {
        StringBuilder figure =
                new StringBuilder(metric.id().substring(table.prefix().length()));
        for (int i = 0; i < metric.labels().size(); i++) {
            if (!table.rowLabels().contains(metric.labels().get(i))) {
                figure.append('.').append(sample.labelValues().get(i));
            }
        }
        rows.computeIfAbsent(valuesOf(table.rowLabels(), metric.labels(), sample), _ -> new LinkedHashMap<>())
                .merge(figure.toString(), sample.value(), Double::sum);
    }

    private static void writeLabels(JsonGenerator json, String member, List<String> names, List<String> values) {
        json.writeObjectPropertyStart(member);
        for (int i = 0; i < names.size(); i++) {
            json.writeStringProperty(names.get(i), values.get(i));
        }
        json.writeEndObject();
    }

    /** Writes metrics without labels by their names. */
    private void writeFigures(JsonGenerator json) {
        json.writeObjectPropertyStart("figures");
        for (Metric metric : Metric.values()) {
            List<MetricSample> samples = now.samples(metric);
            if (metric.labels().isEmpty() && samples.size() == 1) {
                Json.number(json.writeName(metric.id()), samples.getFirst().value());
            }
        }
        json.writeEndObject();
    }

    /** Writes the labels of infos, such as {@code {"sluice_build_info": {"version": "0.1.0"}}}. */
    private void writeInfo(JsonGenerator json) {
        json.writeObjectPropertyStart("info");
        for (Metric metric : Metric.values()) {
            List<MetricSample> samples = now.samples(metric);
            if (metric.type() == MetricType.INFO && !samples.isEmpty()) {
                writeLabels(
                        json, metric.id(), metric.labels(), samples.getFirst().labelValues());
            }
        }
        json.writeEndObject();
    }
}
