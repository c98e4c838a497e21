package dev.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for people names each metric with its type and labels, and no other. */
class MetricsDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/metrics.md");
    private static final Pattern QUOTED = Pattern.compile("`([a-z0-9_]+)`");

    @Test
    void tablesAreTheCatalogue() throws IOException {
        List<String> told = Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.matches("\\| `(sluice|process|jvm)_[a-z0-9_]+` \\|.*"))
                .map(MetricsDocumentTest::row)
                .toList();
        List<String> counted = Arrays.stream(Metric.values())
                .map(metric ->
                        metric.family() + " " + metric.type().name().toLowerCase(Locale.ROOT) + " " + metric.labels())
                .toList();

        assertThat(told).containsExactlyInAnyOrderElementsOf(counted);
    }

    @Test
    void expressionsNameMetricsThatThereAre() throws IOException {
        List<String> families =
                Arrays.stream(Metric.values()).map(Metric::family).toList();
        Pattern name = Pattern.compile("\\b(?:sluice|process|jvm)_[a-z0-9_]+\\b");

        Files.readAllLines(DOCUMENT)
                .forEach(line -> name.matcher(line)
                        .results()
                        .forEach(found -> assertThat(families).as(line).contains(found.group())));
    }

    private static String row(String line) {
        String[] cells = line.split("\\|", -1);
        List<String> labels = new ArrayList<>();
        QUOTED.matcher(cells[3]).results().forEach(found -> labels.add(found.group(1)));
        return cells[1].strip().replace("`", "") + " " + cells[2].strip() + " " + labels;
    }
}
