package dev.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The lists of metrics in docs/metrics.md are generated from the catalogue: each one from the metric that its first
 * line names to the one before the next list. {@code -Dsluice.docs.write=true} rewrites them.
 */
class MetricsDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/metrics.md");
    private static final Pattern LIST =
            Pattern.compile("<!-- metrics from ([a-z_]+), generated -->\n.*?<!-- end -->", Pattern.DOTALL);
    private static final String INDENT = "  ";

    @Test
    void listsAreGeneratedFromTheCatalogue() throws IOException {
        String written = Files.readString(DOCUMENT);
        String generated = generate(written);
        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.writeString(DOCUMENT, generated);
        } else {
            assertThat(written)
                    .as("run this test with -Dsluice.docs.write=true")
                    .isEqualTo(generated);
        }
    }

    private static String generate(String document) {
        List<Metric> starts = LIST.matcher(document)
                .results()
                .map(list -> metric(list.group(1)))
                .collect(Collectors.toCollection(ArrayList::new));
        List<Metric> all = List.of(Metric.values());
        assertThat(starts).startsWith(all.getFirst()).isSorted();
        return LIST.matcher(document).replaceAll(list -> {
            int next = starts.indexOf(metric(list.group(1))) + 1;
            int end = next < starts.size() ? all.indexOf(starts.get(next)) : all.size();
            return Matcher.quoteReplacement(list(list, all.subList(all.indexOf(starts.get(next - 1)), end)));
        });
    }

    private static Metric metric(String id) {
        return Arrays.stream(Metric.values())
                .filter(metric -> metric.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric is called " + id));
    }

    private static String list(MatchResult list, List<Metric> metrics) {
        return metrics.stream()
                .map(MetricsDocumentTest::item)
                .collect(Collectors.joining(
                        "", "<!-- metrics from " + list.group(1) + ", generated -->\n\n", "\n<!-- end -->"));
    }

    /** Returns an item such as {@code - `sluice_connections` (gauge): Open client connections}. */
    private static String item(Metric metric) {
        String labels = metric.labels().isEmpty()
                ? ""
                : metric.labels().stream()
                        .collect(Collectors.joining(
                                "`, `", metric.labels().size() == 1 ? ", label `" : ", labels `", "`"));
        String type = metric.type().name().toLowerCase(Locale.ROOT);
        String unit = metric.unit() == Metric.Unit.SECONDS || metric.unit() == Metric.Unit.BYTES
                ? " of " + metric.unit().name().toLowerCase(Locale.ROOT)
                : "";
        return GeneratedPage.wrap(
                "- `" + metric.id() + "` (" + type + unit + labels + "): " + metric.help()
                        + (metric.details().isEmpty() ? "" : " " + metric.details()),
                INDENT);
    }

    @Test
    void expressionsNameKnownMetrics() throws IOException {
        List<String> known = Arrays.stream(Metric.values()).map(Metric::id).toList();
        Pattern name = Pattern.compile("\\b(?:sluice|process|jvm)_[a-z0-9_]+\\b");

        Files.readAllLines(DOCUMENT)
                .forEach(line -> name.matcher(line)
                        .results()
                        .forEach(found -> assertThat(known).as(line).contains(found.group())));
    }

    @Test
    void namesEndWithTypeAndUnit() {
        assertThat(Metric.values()).allSatisfy(metric -> {
            assertThat(metric.id().endsWith("_total")).isEqualTo(metric.type() == MetricType.COUNTER);
            assertThat(metric.id().endsWith("_info")).isEqualTo(metric.type() == MetricType.INFO);
            assertThat(metric.help()).endsWith(".").doesNotContain("`");
        });
    }
}
