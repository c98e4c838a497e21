package dev.sluice.bench.harness;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an experiment came to.
 *
 * @param experiment the question
 * @param samples the counted rounds of every treatment that lasted to the end, in the experiment's order; all lists are
 *     equally long and the n-th samples are of one round
 * @param failures why the other treatments have none
 * @param foreignCpu what others used of the machine meanwhile, in cores
 */
public record ExperimentResult(
        Experiment experiment,
        Map<Identity, List<Sample>> samples,
        Map<Identity, String> failures,
        Summary foreignCpu) {
    /** Copies, keeping the order. */
    public ExperimentResult {
        samples = Collections.unmodifiableMap(new LinkedHashMap<>(samples));
        failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /** One treatment's figures of one metric, by round. */
    public double[] figures(Identity who, Metric metric) {
        List<Sample> rounds = samples.get(who);
        if (rounds == null) {
            throw new IllegalArgumentException("did not finish, treatment=" + who.name());
        }
        return rounds.stream().mapToDouble(sample -> sample.value(metric)).toArray();
    }

    /** One treatment's summary of one metric. */
    public Summary summary(Identity who, Metric metric) {
        return Summary.of(figures(who, metric));
    }

    /** The peer with the best median of the headline metric, against which ratios are taken; empty without peers. */
    public Optional<Identity> bestPeer() {
        return bestPeer(experiment.headline());
    }

    /** The peer with the best median of a metric; empty without peers. */
    public Optional<Identity> bestPeer(Metric metric) {
        Comparator<Identity> byMedian =
                Comparator.comparingDouble(who -> summary(who, metric).median());
        return samples.keySet().stream()
                .filter(who -> who.role() == Role.PEER)
                .min(metric.better() == Metric.Better.LOWER ? byMedian : byMedian.reversed());
    }

    /** The floor, where one took part and lasted. */
    public Optional<Identity> floor() {
        return samples.keySet().stream().filter(who -> who.role() == Role.FLOOR).findFirst();
    }

    /** Ratios of the headline metric, round by round, of one treatment over another. */
    public Summary ratio(Identity who, Identity over) {
        return ratio(who, over, experiment.headline());
    }

    /** Ratios of a metric, round by round, of one treatment over another. */
    public Summary ratio(Identity who, Identity over, Metric metric) {
        return Summary.ofPairedRatios(figures(who, metric), figures(over, metric));
    }

    /** The ratio of the control to its original: what the same thing differs from itself by. Empty without a control. */
    public Optional<Summary> noiseFloor() {
        return samples.keySet().stream()
                .filter(who -> who.role() == Role.CONTROL)
                .flatMap(control -> samples.keySet().stream()
                        .filter(who -> who.name().equals(control.original()))
                        .map(original -> ratio(control, original)))
                .findFirst();
    }
}
