package dev.sluice.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The added cost of each treatment: the median of its cost minus the floor's, round by round.
 *
 * <p>Shares are ratios of medians, not medians of ratios within a round: a difference is small compared with its
 * operands, so one noisy round could make a ratio arbitrarily large.
 *
 * @param metric the metric
 * @param floor the subtracted treatment
 * @param entries in the experiment's order, without the floor
 */
public record AddedCost(Metric metric, Identity floor, List<Entry> entries) {
    /**
     * One treatment.
     *
     * @param added median of the added cost, in the metric's unit
     * @param share share of the added cost of the cheapest peer; empty without a peer, or if it adds nothing
     */
    public record Entry(Identity who, double added, Optional<Double> share) {}

    /** Returns the added cost by an experiment's headline metric; empty without a floor. */
    public static Optional<AddedCost> of(ExperimentResult result) {
        Metric metric = result.experiment().headline();
        return result.floor().map(floor -> new AddedCost(metric, floor, entries(result, floor, metric)));
    }

    private static List<Entry> entries(ExperimentResult result, Identity floor, Metric metric) {
        List<Entry> bare = new ArrayList<>();
        for (Identity who : result.samples().keySet()) {
            if (who.role() != Role.FLOOR) {
                double added = median(result.figures(who, metric), result.figures(floor, metric));
                bare.add(new Entry(who, added, Optional.empty()));
            }
        }
        Optional<Double> least = bare.stream()
                .filter(entry -> entry.who.role() == Role.PEER)
                .map(Entry::added)
                .min(Double::compare)
                .filter(added -> added > 0);
        return bare.stream()
                .map(entry -> new Entry(entry.who, entry.added, least.map(best -> entry.added / best)))
                .toList();
    }

    private static double median(double[] figures, double[] floor) {
        double[] differences = new double[figures.length];
        for (int round = 0; round < figures.length; round++) {
            differences[round] = figures[round] - floor[round];
        }
        return Summary.of(differences).median();
    }
}
