package dev.sluice.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What each treatment adds to the floor: its cost less the floor's, round by round, and the median of that.
 *
 * <p>Shares are of medians, not medians of shares within a round: a difference is small beside what it is taken of, so
 * that one noisy round could make a share of it arbitrarily large.
 *
 * @param metric whose figures these are
 * @param floor what is subtracted
 * @param entries in the experiment's order, without the floor
 */
public record AddedCost(Metric metric, Identity floor, List<Entry> entries) {
    /**
     * One treatment.
     *
     * @param added median of what it adds, in the metric's unit
     * @param share of what the peer adds that adds least; empty without a peer, or where the peer adds nothing
     */
    public record Entry(Identity who, double added, Optional<Double> share) {}

    /** What the headline metric of an experiment adds up to; empty where no floor took part. */
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
