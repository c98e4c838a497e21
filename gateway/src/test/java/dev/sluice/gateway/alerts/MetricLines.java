package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Metric snapshots made of lines, one for each series, such as {@code sluice_tls_handshakes_total{kind="full"} 12}. */
final class MetricLines {
    private MetricLines() {}

    /** Labels that a line leaves out are empty. */
    static MetricSnapshot at(Instant time, String... lines) {
        MetricSnapshot.Builder snapshot = new MetricSnapshot.Builder();
        for (String line : lines) {
            String series = line.substring(0, line.lastIndexOf(' '));
            double value = Double.parseDouble(line.substring(line.lastIndexOf(' ')));
            Metric metric = metric(series.replaceAll("\\{.*", ""));
            snapshot.add(metric, new MetricSample(labels(metric, series), value, null));
        }
        return snapshot.build(time);
    }

    private static Metric metric(String id) {
        return Arrays.stream(Metric.values())
                .filter(metric -> metric.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> labels(Metric metric, String series) {
        Map<String, String> values = new HashMap<>();
        if (series.contains("{")) {
            for (String pair : series.substring(series.indexOf('{') + 1, series.length() - 1)
                    .split(",", -1)) {
                String label = pair.substring(0, pair.indexOf('='));
                if (!metric.labels().contains(label)) {
                    throw new IllegalArgumentException(metric.id() + " has no label " + label);
                }
                values.put(label, pair.substring(pair.indexOf('=') + 1).replace("\"", ""));
            }
        }
        return metric.labels().stream()
                .map(label -> values.getOrDefault(label, ""))
                .toList();
    }
}
