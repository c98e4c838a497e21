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

/** The finding of an experiment in one sentence, from the rows of its headline metric. */
final class Finding {
    private final List<ResultRow> rows;

    private Finding(List<ResultRow> rows) {
        this.rows = rows;
    }

    /**
     * Returns the sentence.
     *
     * @param rows the rows of one metric, at least one
     */
    static String of(List<ResultRow> rows) {
        return new Finding(rows).sentence();
    }

    private String sentence() {
        Optional<ResultRow> subject = best(Role.SUBJECT);
        Optional<ResultRow> peer = best(Role.PEER);
        if (subject.isEmpty()) {
            return range(rows);
        }
        if (peer.isPresent()) {
            return beside(subject.get(), peer.get());
        }
        List<ResultRow> subjects = with(Role.SUBJECT).toList();
        return best(Role.FLOOR)
                .map(floor ->
                        factor(subject.get(), floor) + " of " + floor.who().name() + ", the floor.")
                .orElseGet(() -> range(subjects));
    }

    /** Compares with the best peer. Ratios are those within a round, which a slow round leaves unchanged. */
    private static String beside(ResultRow subject, ResultRow peer) {
        Interval interval = Bootstrap.ofMedian(ratios(subject, peer), ResultRow.CONFIDENCE);
        double noise = subject.noise().distance();
        boolean above = interval.low() > 1 + noise;
        boolean below = interval.high() < 1 / (1 + noise);
        boolean cost = subject.metric().better() == Metric.Better.LOWER;
        String verdict = above == below
                ? " does not differ beyond noise from "
                : above == cost ? " is behind " : " is ahead of ";
        return subject.who().name() + verdict + peer.who().name() + ", the best peer: " + multiple(subject, peer)
                + " its " + subject.metric().title() + ".";
    }

    private static String factor(ResultRow subject, ResultRow reference) {
        return subject.who().name() + ": " + multiple(subject, reference) + " the "
                + subject.metric().title();
    }

    private static String multiple(ResultRow subject, ResultRow reference) {
        double[] ratios = ratios(subject, reference);
        Interval interval = Bootstrap.ofMedian(ratios, ResultRow.CONFIDENCE);
        return String.format(
                Locale.ROOT, "%.2f × (%.2f to %.2f)", Summary.of(ratios).median(), interval.low(), interval.high());
    }

    private static double[] ratios(ResultRow subject, ResultRow reference) {
        double[] numerators = subject.figures();
        double[] denominators = reference.figures();
        double[] ratios = new double[Math.min(numerators.length, denominators.length)];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = numerators[round] / denominators[round];
        }
        return ratios;
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

    private Optional<ResultRow> best(Role role) {
        Comparator<ResultRow> byMedian = Comparator.comparingDouble(ResultRow::median);
        return with(role)
                .min(rows.getFirst().metric().better() == Metric.Better.LOWER ? byMedian : byMedian.reversed());
    }

    private Stream<ResultRow> with(Role role) {
        return rows.stream().filter(row -> row.who().role() == role);
    }
}
