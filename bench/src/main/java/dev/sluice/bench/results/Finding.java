package dev.sluice.bench.results;

import dev.sluice.bench.harness.Bootstrap;
import dev.sluice.bench.harness.Interval;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Summary;
import dev.sluice.cost.figures.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The finding of an experiment, from the rows of its headline metric.
 *
 * @param verdict the comparison of Sluice's best row with the best peer
 * @param sentence the finding as a sentence
 */
record Finding(Verdict verdict, String sentence) {
    /** The comparison of Sluice with the best peer. */
    enum Verdict {
        /** The interval of the ratio lies beyond the noise, on the good side. */
        AHEAD("Ahead of "),
        /** The interval of the ratio lies beyond the noise, on the bad side. */
        BEHIND("Behind "),
        /** The interval of the ratio reaches into the noise. */
        EQUAL("No difference beyond noise to "),
        /** One round, of which nothing can be decided. */
        UNDECIDED("One round beside "),
        /** No peer took part. */
        WITHOUT_PEER("");

        private final String start;

        Verdict(String start) {
            this.start = start;
        }
    }

    /**
     * Returns the finding.
     *
     * @param rows the rows of one metric, at least one
     */
    static Finding of(List<ResultRow> rows) {
        Optional<ResultRow> subject = best(rows, Role.SUBJECT);
        Optional<ResultRow> peer = best(rows, Role.PEER);
        if (subject.isEmpty()) {
            return new Finding(Verdict.WITHOUT_PEER, range(rows));
        }
        return peer.map(other -> beside(subject.get(), other))
                .orElseGet(() -> new Finding(Verdict.WITHOUT_PEER, alone(rows, subject.get())));
    }

    private static Finding beside(ResultRow subject, ResultRow peer) {
        Verdict verdict = verdict(subject, peer);
        return new Finding(
                verdict,
                verdict.start + peer.who().name() + ", the best peer: "
                        + subject.who().name() + " has " + multiple(subject, peer) + " its "
                        + subject.metric().title() + ".");
    }

    private static Verdict verdict(ResultRow subject, ResultRow peer) {
        if (subject.values().size() == 1) {
            return Verdict.UNDECIDED;
        }
        Interval interval = Bootstrap.ofMedian(subject.ratiosTo(peer), ResultRow.CONFIDENCE);
        double noise = subject.noise().distance();
        boolean above = interval.low() > 1 + noise;
        boolean below = interval.high() < 1 / (1 + noise);
        boolean cost = subject.metric().better() == Metric.Better.LOWER;
        if (above == below) {
            return Verdict.EQUAL;
        }
        return above == cost ? Verdict.BEHIND : Verdict.AHEAD;
    }

    private static String alone(List<ResultRow> rows, ResultRow subject) {
        return best(rows, Role.FLOOR)
                .map(floor -> factor(subject, floor) + " of " + floor.who().name() + ", the floor.")
                .orElseGet(() -> range(with(rows, Role.SUBJECT).toList()));
    }

    private static String factor(ResultRow subject, ResultRow reference) {
        return subject.who().name() + ": " + multiple(subject, reference) + " the "
                + subject.metric().title();
    }

    private static String multiple(ResultRow subject, ResultRow reference) {
        double[] ratios = subject.ratiosTo(reference);
        String median = String.format(Locale.ROOT, "%.2f ×", Summary.of(ratios).median());
        Interval interval = Bootstrap.ofMedian(ratios, ResultRow.CONFIDENCE);
        return ratios.length == 1
                ? median
                : median + String.format(Locale.ROOT, " (%.2f to %.2f)", interval.low(), interval.high());
    }

    private static String range(List<ResultRow> rows) {
        ResultRow least =
                rows.stream().min(Comparator.comparingDouble(ResultRow::median)).orElseThrow();
        ResultRow most =
                rows.stream().max(Comparator.comparingDouble(ResultRow::median)).orElseThrow();
        String unit = least.metric().title();
        return rows.size() == 1
                ? least.who().name() + ": " + Numbers.of(least.median()) + " " + unit + "."
                : "From " + Numbers.of(least.median()) + " " + unit + " ("
                        + least.who().name() + ") to " + Numbers.of(most.median()) + " ("
                        + most.who().name() + ").";
    }

    private static Optional<ResultRow> best(List<ResultRow> rows, Role role) {
        Comparator<ResultRow> byMedian = Comparator.comparingDouble(ResultRow::median);
        return with(rows, role)
                .min(rows.getFirst().metric().better() == Metric.Better.LOWER ? byMedian : byMedian.reversed());
    }

    private static Stream<ResultRow> with(List<ResultRow> rows, Role role) {
        return rows.stream().filter(row -> row.who().role() == role);
    }
}
