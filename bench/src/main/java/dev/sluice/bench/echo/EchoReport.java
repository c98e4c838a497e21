package dev.sluice.bench.echo;

import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.harness.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** The results as text: for each size a table of costs and one of rates, with a row for each server. */
final class EchoReport {
    private static final Identity REFERENCE = EchoServer.SELECTOR.identity();

    private final Report.Style style;

    EchoReport(Report.Style style) {
        this.style = style;
    }

    /** Returns the tables of one size for all numbers of connections. */
    String ofSize(int bytes, Map<EchoPoint, ExperimentResult> points) {
        String size = EchoPoint.size(bytes);
        return headed(
                        "Echo of " + size + ": CPU µs of the server per message, and multiples of java.nio's",
                        costs(points))
                + "\n"
                + headed("Echo of " + size + ": messages per second, and how busy server and load were", rates(points))
                + noise(points);
    }

    private static Table costs(Map<EchoPoint, ExperimentResult> points) {
        return table(
                points,
                "× nio",
                (result, who) -> List.of(
                        two(median(result, who, EchoTreatment.COST)),
                        result.samples().containsKey(REFERENCE)
                                ? two(result.ratio(who, REFERENCE).median())
                                : "–"));
    }

    private static Table rates(Map<EchoPoint, ExperimentResult> points) {
        return table(
                points,
                "server, load",
                (result, who) -> List.of(
                        String.format(Locale.ROOT, "%,.0f", median(result, who, EchoTreatment.RATE)),
                        two(median(result, who, EchoTreatment.SERVER_BUSY)) + ", "
                                + two(median(result, who, EchoTreatment.LOAD_BUSY))));
    }

    private static Table table(
            Map<EchoPoint, ExperimentResult> points,
            String second,
            BiFunction<ExperimentResult, Identity, List<String>> cells) {
        List<String> titles = new ArrayList<>(List.of(""));
        points.keySet().forEach(point -> titles.addAll(List.of(point.people(), second)));
        Table table = new Table(titles);
        for (Identity who : participants(points)) {
            List<String> row = new ArrayList<>(List.of(who.name()));
            for (ExperimentResult result : points.values()) {
                row.addAll(result.samples().containsKey(who) ? cells.apply(result, who) : List.of("–", "–"));
            }
            table.row(row);
        }
        return table;
    }

    private static List<Identity> participants(Map<EchoPoint, ExperimentResult> points) {
        return points.values().iterator().next().experiment().treatments().stream()
                .map(treatment -> treatment.identity())
                .filter(who -> who.role() != Role.CONTROL)
                .filter(who -> points.values().stream()
                        .anyMatch(result -> result.samples().containsKey(who)))
                .toList();
    }

    private static String noise(Map<EchoPoint, ExperimentResult> points) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%nMedians of %d rounds; ratios are medians of ratios within a round.",
                points.values().iterator().next().experiment().plan().rounds()));
        text.append(" Noise floor, java.nio against itself:");
        points.forEach((point, result) -> text.append(' ')
                .append(result.noiseFloor().map(EchoReport::range).orElse("unknown"))
                .append(" (")
                .append(point.people())
                .append(')'));
        double foreign = points.values().stream()
                .mapToDouble(result -> result.foreignCpu().median())
                .max()
                .orElse(0);
        text.append(String.format(
                Locale.ROOT,
                ". Other processes used up to %.2f of a core meanwhile. A JIT compiler used at most %.2f of a server's "
                        + "CPU time.%n",
                foreign,
                compilers(points)));
        points.forEach((point, result) -> result.failures()
                .forEach((who, why) ->
                        text.append("Left out: %s over %s: %s%n".formatted(who.name(), point.people(), why))));
        return text.toString();
    }

    /** Returns the largest median share of any server at any point. */
    private static double compilers(Map<EchoPoint, ExperimentResult> points) {
        return points.values().stream()
                .flatMapToDouble(result -> result.samples().keySet().stream()
                        .mapToDouble(who -> median(result, who, EchoTreatment.JIT_SHARE)))
                .max()
                .orElse(0);
    }

    private static String range(Summary floor) {
        return two(floor.median()) + ", " + two(floor.min()) + " … " + two(floor.max());
    }

    private String headed(String title, Table table) {
        return style == Report.Style.MARKDOWN
                ? "### " + title + "\n\n" + table.markdown()
                : title + "\n\n" + table.text();
    }

    private static double median(ExperimentResult result, Identity who, Metric metric) {
        return result.summary(who, metric).median();
    }

    private static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
