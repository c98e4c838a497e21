package dev.sluice.bench.scrape;

import dev.sluice.bench.harness.BenchException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A page of metrics.
 *
 * @param text in Prometheus's format, with or without the headers of its answer
 */
public record MetricsPage(String text) {
    private static final Pattern SERIES = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)\\})? ([0-9.eE+-]+)$");

    /**
     * Returns the sum of a metric's series.
     *
     * @throws BenchException when the page lacks it
     */
    public long sum(String name) {
        return SERIES.matcher(text)
                .results()
                .filter(series -> series.group(1).equals(name))
                .map(MetricsPage::value)
                .reduce(Long::sum)
                .orElseThrow(() -> new BenchException("the gateway's metrics lack " + name));
    }

    /** Returns the sums of a metric's series by one of its labels; empty when the page lacks it. */
    public Map<String, Long> sums(String name, String label) {
        Pattern labelled = Pattern.compile("(?:^|,)" + label + "=\"([^\"]*)\"");
        Map<String, Long> sums = new TreeMap<>();
        SERIES.matcher(text)
                .results()
                .filter(series -> series.group(1).equals(name) && series.group(2) != null)
                .forEach(series -> labelled.matcher(series.group(2))
                        .results()
                        .forEach(found -> sums.merge(found.group(1), value(series), Long::sum)));
        return sums;
    }

    private static long value(MatchResult series) {
        return (long) Double.parseDouble(series.group(3));
    }
}
