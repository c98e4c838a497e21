package dev.sluice.bench.harness;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of an experiment.
 *
 * @param experiment the experiment
 * @param samples the counted rounds of every surviving treatment, in the experiment's order; all lists have equal
 *     length and the n-th samples belong to one round
 * @param failures the failures of the other treatments
 * @param foreignCpu CPU used by other processes meanwhile, in cores
 */
public record ExperimentResult(
        Experiment experiment,
        Map<Identity, List<Sample>> samples,
        Map<Identity, String> failures,
        Summary foreignCpu) {
    /** Copies, preserving the order. */
    public ExperimentResult {
        samples = Collections.unmodifiableMap(new LinkedHashMap<>(samples));
        failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /** Returns one treatment's figures of one metric, by round. */
    double[] figures(Identity who, Metric metric) {
        List<Sample> rounds = samples.get(who);
        if (rounds == null) {
            throw new IllegalArgumentException("did not finish, treatment=" + who.name());
        }
        return rounds.stream().mapToDouble(sample -> sample.value(metric)).toArray();
    }

    /** Returns one treatment's summary of one metric. */
    public Summary summary(Identity who, Metric metric) {
        return Summary.of(figures(who, metric));
    }

    /** Returns the peer with the best median of the headline metric, the reference of ratios; empty without peers. */
    Optional<Identity> bestPeer() {
        return bestPeer(experiment.headline());
    }

    /** Returns the peer with the best median of a metric; empty without peers. */
    public Optional<Identity> bestPeer(Metric metric) {
        Comparator<Identity> byMedian =
                Comparator.comparingDouble(who -> summary(who, metric).median());
        return samples.keySet().stream()
                .filter(who -> who.role() == Role.PEER)
                .min(metric.better() == Metric.Better.LOWER ? byMedian : byMedian.reversed());
    }

    /** Returns the floor, if it participated and survived. */
    Optional<Identity> floor() {
        return samples.keySet().stream().filter(who -> who.role() == Role.FLOOR).findFirst();
    }

    /** Returns the ratios of the headline metric, round by round, of one treatment over another. */
    public Summary ratio(Identity who, Identity over) {
        return ratio(who, over, experiment.headline());
    }

    /** Returns the ratios of a metric, round by round, of one treatment over another. */
    Summary ratio(Identity who, Identity over, Metric metric) {
        return Summary.ofPairedRatios(figures(who, metric), figures(over, metric));
    }

    /**
     * Returns the ratio of the control to its original, the variation between equal treatments. Empty without a
     * control.
     */
    public Optional<Summary> noiseFloor() {
        return samples.keySet().stream()
                .filter(who -> who.role() == Role.CONTROL)
                .flatMap(control -> samples.keySet().stream()
                        .filter(who -> who.name().equals(control.original()))
                        .map(original -> ratio(control, original)))
                .findFirst();
    }
}
