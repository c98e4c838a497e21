package dev.sluice.bench.results;

import dev.sluice.bench.harness.Bootstrap;
import dev.sluice.bench.harness.Interval;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Summary;
import dev.sluice.cost.figures.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A figure in the text of a page: {@code <!-- figure: NAME EXPERIMENT "TREATMENT" METRIC -->0.74<!-- end -->}. The
 * metric {@code METRIC/peer} is its ratio to the best peer's, {@code METRIC/floor} that to the floor's, and {@code
 * METRIC/"TREATMENT"} that to another treatment's. With an aim,
 * {@code at most 0.85} or {@code at least 4000} behind the metric, the figure stands in a table, and the next cell
 * states whether the aim is met: undecided where the interval, widened by the noise, reaches beyond it.
 */
final class QuotedFigure {
    /** A mark with its content. */
    static final Pattern PATTERN = Pattern.compile(
            "(<!-- figure: ([a-z0-9.-]+) ([A-Za-z0-9.-]+) \"([^\"\\n]+)\" ([a-z0-9_]+)(?:/(peer|floor|\"[^\"\\n]+\"))?"
                    + "(?: (at most|at least) ([0-9.]+))? -->)([^\\n]*?)(<!-- end -->)");

    private static final String ABSENT = "not measured";

    private final MatchResult mark;

    QuotedFigure(MatchResult mark) {
        this.mark = mark;
    }

    /** Returns the name of the results. */
    String suite() {
        return mark.group(2);
    }

    /** Returns the mark with the figure of some results. */
    String of(ResultFile file) {
        List<ResultRow> rows = file.rows().stream()
                .filter(row -> row.experiment().equals(mark.group(3)))
                .filter(row -> row.metric().key().equals(mark.group(5)))
                .toList();
        Optional<Estimate> estimate = named(rows, mark.group(4)).flatMap(row -> estimate(row, rows));
        return mark.group(1) + estimate.map(this::text).orElse(ABSENT) + verdict(estimate) + mark.group(10);
    }

    /**
     * A figure with its uncertainty.
     *
     * @param value the median
     * @param interval its bootstrap interval, widened by the noise; unbounded for one round
     */
    private record Estimate(double value, Interval interval) {
        static Estimate of(double[] figures, double noise) {
            Interval interval = Bootstrap.ofMedian(figures, ResultRow.CONFIDENCE);
            return new Estimate(
                    Summary.of(figures).median(),
                    figures.length == 1
                            ? new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
                            : new Interval(interval.low() / (1 + noise), interval.high() * (1 + noise)));
        }
    }

    private @Nullable String reference() {
        return mark.group(6);
    }

    private Optional<Estimate> estimate(ResultRow row, List<ResultRow> rows) {
        double noise = row.noise().distance();
        return reference() == null
                ? Optional.of(Estimate.of(row.figures(), noise))
                : other(rows).map(other -> Estimate.of(row.ratiosTo(other), noise));
    }

    private Optional<ResultRow> other(List<ResultRow> rows) {
        return switch (reference()) {
            case "peer" -> ResultTables.reference(rows, Role.PEER);
            case "floor" -> ResultTables.reference(rows, Role.FLOOR);
            case String quoted -> named(rows, quoted.substring(1, quoted.length() - 1));
            case null -> Optional.empty();
        };
    }

    private static Optional<ResultRow> named(List<ResultRow> rows, String treatment) {
        return rows.stream().filter(row -> row.who().name().equals(treatment)).findFirst();
    }

    private String text(Estimate estimate) {
        return reference() == null ? Numbers.of(estimate.value()) : ResultTables.ratio(estimate.value());
    }

    private String verdict(Optional<Estimate> estimate) {
        String direction = mark.group(7);
        if (direction == null) {
            return "";
        }
        double aim = Double.parseDouble(mark.group(8));
        return " | "
                + estimate.map(Estimate::interval)
                        .map(interval -> direction.equals("at most")
                                ? verdict(interval.high() <= aim, interval.low() > aim)
                                : verdict(interval.low() >= aim, interval.high() < aim))
                        .orElse("–");
    }

    private static String verdict(boolean met, boolean missed) {
        return met ? "yes" : missed ? "no" : "undecided";
    }
}
