package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files for Prometheus and Grafana, and what their expressions name. */
final class MonitoringFiles {
    static final Path RULES = Path.of("..", "deploy", "prometheus", "sluice-alerts.yml");
    static final Path RULES_TEST = Path.of("..", "deploy", "prometheus", "sluice-alerts-test.yml");
    static final Path DASHBOARD = Path.of("..", "deploy", "grafana", "sluice.json");
    static final Path PAGE = Path.of("..", "docs", "alerts.md");

    /** A metric, and the matchers behind it if there are any. */
    private static final Pattern SELECTOR = Pattern.compile("\\b((?:sluice|process|jvm)_[a-z0-9_]+)(?:\\{([^}]*)})?");

    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");

    /** The labels that Prometheus adds to each series. */
    private static final Set<String> TARGET = Set.of("job", "instance");

    private MonitoringFiles() {}

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A YAML file, or a JSON file, which is YAML too. */
    static Map<?, ?> read(Path file) {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text(file));
    }

    /** All texts under a key, wherever it stands. */
    static List<String> textsUnder(String key, @Nullable Object part) {
        List<String> found = new ArrayList<>();
        if (part instanceof Map<?, ?> map) {
            if (map.get(key) instanceof String text) {
                found.add(text);
            }
            map.values().forEach(value -> found.addAll(textsUnder(key, value)));
        } else if (part instanceof List<?> list) {
            list.forEach(item -> found.addAll(textsUnder(key, item)));
        }
        return found;
    }

    /** Returns what an expression names that is not in the catalogue, a sentence each. */
    static List<String> unknownIn(String expression) {
        List<String> unknown = new ArrayList<>();
        Set<String> labels = new LinkedHashSet<>(TARGET);
        Matcher selectors = SELECTOR.matcher(expression);
        while (selectors.find()) {
            String name = selectors.group(1);
            Set<String> known = labelsOf(name);
            if (known.isEmpty()) {
                unknown.add("no metric " + name + " in " + expression);
            }
            labels.addAll(known);
            String matchers = Optional.ofNullable(selectors.group(2)).orElse("");
            MATCHER.matcher(matchers)
                    .results()
                    .map(match -> match.group(1))
                    .filter(label -> !known.contains(label))
                    .forEach(label -> unknown.add(name + " has no label " + label + " in " + expression));
        }
        GROUPING.matcher(expression)
                .results()
                .flatMap(match -> Arrays.stream(match.group(1).split(", ", -1)))
                .filter(label -> !labels.contains(label))
                .forEach(label -> unknown.add("nothing has a label " + label + " in " + expression));
        return unknown;
    }

    /** Returns the labels of a metric, including those of its target; none if there is no such metric. */
    private static Set<String> labelsOf(String name) {
        for (Metric metric : Metric.values()) {
            boolean isBuckets = metric.type() == MetricType.HISTOGRAM && name.equals(metric.id() + "_bucket");
            if (isBuckets || name.equals(metric.id())) {
                Set<String> labels = new LinkedHashSet<>(metric.labels());
                labels.addAll(TARGET);
                if (isBuckets) {
                    labels.add("le");
                }
                return labels;
            }
        }
        return Set.of();
    }
}
