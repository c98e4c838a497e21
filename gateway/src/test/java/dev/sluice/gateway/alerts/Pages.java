package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.MetricFamily;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes pages of metrics, a line for each series, such as {@code sluice_tls_handshakes_total{kind="full"} 12}. */
final class Pages {
    private Pages() {}

    static MetricPage at(Instant time, String... lines) {
        Map<String, List<MetricSample>> samples = new LinkedHashMap<>();
        Map<String, List<String>> labels = new LinkedHashMap<>();
        for (String line : lines) {
            String series = line.substring(0, line.lastIndexOf(' '));
            double value = Double.parseDouble(line.substring(line.lastIndexOf(' ')));
            String name = series.replaceAll("\\{.*", "");
            List<String> names = new ArrayList<>();
            List<String> values = new ArrayList<>();
            if (series.contains("{")) {
                for (String pair : series.substring(series.indexOf('{') + 1, series.length() - 1)
                        .split(",", -1)) {
                    names.add(pair.substring(0, pair.indexOf('=')));
                    values.add(pair.substring(pair.indexOf('=') + 1).replace("\"", ""));
                }
            }
            labels.put(name, names);
            samples.computeIfAbsent(name, _ -> new ArrayList<>()).add(new MetricSample(values, value, null));
        }
        List<MetricFamily> families = new ArrayList<>();
        samples.forEach((name, series) -> families.add(
                new MetricFamily(name, MetricType.GAUGE, "of a test", labels.getOrDefault(name, List.of()), series)));
        return new MetricPage(time, families);
    }
}
