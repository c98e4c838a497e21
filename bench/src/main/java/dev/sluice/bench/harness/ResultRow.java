package dev.sluice.bench.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One metric of one treatment, with the figure of each counted round.
 *
 * @param experiment the experiment's name
 * @param title the experiment's question, for display
 * @param who the treatment
 * @param metric the metric
 * @param headline true for the experiment's primary metric
 * @param peer the peer with the best median of this metric; empty without peers
 * @param values by round; the n-th values of an experiment's treatments belong to one round
 * @param noise the disturbance of the experiment
 */
public record ResultRow(
        String experiment,
        String title,
        Identity who,
        Metric metric,
        boolean headline,
        Optional<String> peer,
        List<Double> values,
        Noise noise) {
    /** The confidence of the interval of a median. */
    public static final double CONFIDENCE = 0.95;

    /** Copies the values, and checks that there is one. */
    public ResultRow {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException(
                    "a row without a value, experiment=" + experiment + ", treatment=" + who.name());
        }
    }

    /**
     * The disturbance of an experiment.
     *
     * @param foreignCpu median of the CPU that processes outside of the benchmark used meanwhile, in cores
     * @param control median ratio of a treatment to itself, 1 without any noise; empty without a control
     */
    public record Noise(double foreignCpu, Optional<Double> control) {
        /** Returns the distance of the control's ratio from 1; 0 without a control. */
        public double distance() {
            return control.map(ratio -> Math.abs(ratio - 1)).orElse(0.0);
        }
    }

    /** Returns the rows of an experiment: by metric, the headline first, then by treatment. */
    public static List<ResultRow> of(ExperimentResult result) {
        Experiment experiment = result.experiment();
        Noise noise =
                new Noise(result.foreignCpu().median(), result.noiseFloor().map(Summary::median));
        List<Metric> metrics = new ArrayList<>(List.of(experiment.headline()));
        metrics.addAll(experiment.others());
        List<ResultRow> rows = new ArrayList<>();
        for (Metric metric : metrics) {
            Optional<String> peer = result.bestPeer(metric).map(Identity::name);
            for (Identity who : result.samples().keySet()) {
                List<Double> values =
                        Arrays.stream(result.figures(who, metric)).boxed().toList();
                boolean headline = metric.equals(experiment.headline());
                rows.add(new ResultRow(
                        experiment.name(), experiment.title(), who, metric, headline, peer, values, noise));
            }
        }
        return rows;
    }

    /** Returns the values by round. */
    public double[] figures() {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Returns the ratios to another row of the same metric, round by round, which a slow round leaves unchanged. */
    public double[] ratiosTo(ResultRow reference) {
        double[] denominators = reference.figures();
        double[] ratios = Arrays.copyOf(figures(), Math.min(values.size(), denominators.length));
        Arrays.setAll(ratios, round -> ratios[round] / denominators[round]);
        return ratios;
    }

    /** Returns the median of the rounds. */
    public double median() {
        return Summary.of(figures()).median();
    }

    /** Returns the median's interval. */
    public Interval interval() {
        return Bootstrap.ofMedian(figures(), CONFIDENCE);
    }

    /** Returns true if a change of this row is a verdict on Sluice: the headline, or a metric beside its peers'. */
    public boolean judged() {
        return who.role() == Role.SUBJECT && (headline || metric.hasRatio());
    }
}
