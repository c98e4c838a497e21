package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A page of metrics in the text formats of Prometheus and OpenMetrics: series with values. Immutable. */
final class PrometheusParser {
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})?\\s+(\\S+)(?:\\s+\\S+)?(?:\\s+#.*)?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final List<Series> series = new ArrayList<>();

    /** One series. */
    private record Series(String name, Map<String, String> labels, double value) {
        boolean has(String... wanted) {
            for (int i = 0; i < wanted.length; i += 2) {
                if (!wanted[i + 1].equals(labels.get(wanted[i]))) {
                    return false;
                }
            }
            return true;
        }
    }

    private PrometheusParser() {}

    /**
     * Parses a page.
     *
     * @param source the name in messages
     * @throws CostException for an invalid line
     */
    static PrometheusParser parse(String text, String source) {
        PrometheusParser page = new PrometheusParser();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                page.add(line.strip(), source + ", line " + number);
            }
        }
        return page;
    }

    private void add(String line, String place) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new CostException(
                    place + " is not a metric: \"" + line + "\"; use the output of a gateway's /metrics");
        }
        try {
            series.add(new Series(matcher.group(1), labels(matcher.group(2)), number(matcher.group(3))));
        } catch (NumberFormatException e) {
            throw new CostException(
                    place + " has no number: \"" + line + "\"; use the output of a gateway's /metrics", e);
        }
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static Map<String, String> labels(@Nullable String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (text != null) {
            Matcher matcher = LABEL.matcher(text);
            while (matcher.find()) {
                labels.put(matcher.group(1), matcher.group(2));
            }
        }
        return labels;
    }

    /** Returns whether a metric exists. */
    boolean has(String name) {
        return series.stream().anyMatch(each -> each.name.equals(name));
    }

    /** Returns the sum of a metric's series with certain labels, given as alternating names and values. */
    double sum(String name, String... labels) {
        double sum = 0;
        for (Series each : series) {
            if (each.name.equals(name) && each.has(labels)) {
                sum += each.value;
            }
        }
        return sum;
    }

    /** Returns the sums of a metric's series by the value of a label. */
    Map<String, Double> sumBy(String name, String label) {
        Map<String, Double> sums = new LinkedHashMap<>();
        for (Series each : series) {
            if (each.name.equals(name)) {
                sums.merge(each.labels.getOrDefault(label, ""), each.value, Double::sum);
            }
        }
        return sums;
    }
}
