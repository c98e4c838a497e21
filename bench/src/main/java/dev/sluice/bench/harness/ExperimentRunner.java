package dev.sluice.bench.harness;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** A runner of experiments: starts the treatments, runs the rounds in balanced order, and keeps the counted ones. */
public final class ExperimentRunner {
    private final ResultLog log;
    private final LongSupplier foreignCpuNanos;
    private final Progress progress;
    private final Set<String> names = new HashSet<>();

    /**
     * Creates a runner.
     *
     * @param log receives every finished round
     * @param foreignCpuNanos CPU time of processes outside the benchmark since boot
     * @param progress receives events for display
     */
    public ExperimentRunner(ResultLog log, LongSupplier foreignCpuNanos, Progress progress) {
        this.log = log;
        this.foreignCpuNanos = foreignCpuNanos;
        this.progress = progress;
    }

    /**
     * Runs one experiment to its end. A failed treatment is skipped from there on; the others continue.
     *
     * @throws IllegalArgumentException when an experiment of this name has run, since results are kept by name
     */
    public ExperimentResult run(Experiment experiment) throws InterruptedException {
        if (!names.add(experiment.name())) {
            throw new IllegalArgumentException("an experiment runs twice, name=" + experiment.name());
        }
        Run run = new Run(experiment);
        try {
            run.startAll();
            run.playAll();
        } finally {
            experiment.treatments().forEach(Treatment::stop);
        }
        ExperimentResult result = run.result();
        log.result(result);
        return result;
    }

    /** A listener for events of a run. */
    public interface Progress {
        /** Reports the start of a round of all treatments. */
        void onRound(Experiment experiment, int round, boolean warmup);

        /** Reports a failed treatment. */
        void onFailed(Experiment experiment, Identity who, String reason);
    }

    private final class Run {
        private final Experiment experiment;
        private final Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        private final Map<Identity, String> failures = new LinkedHashMap<>();
        private final List<Double> foreignCpu = new ArrayList<>();

        Run(Experiment experiment) {
            this.experiment = experiment;
            experiment.treatments().forEach(treatment -> samples.put(treatment.identity(), new ArrayList<>()));
        }

        void startAll() throws InterruptedException {
            for (Treatment treatment : experiment.treatments()) {
                guarded(treatment, treatment::start);
            }
        }

        void playAll() throws InterruptedException {
            List<? extends Treatment> treatments = experiment.treatments();
            RoundOrder order = new RoundOrder(treatments.size());
            int warmups = experiment.plan().warmups();
            int rounds = warmups + experiment.plan().rounds();
            for (int round = 0; round < rounds && !samples.isEmpty(); round++) {
                progress.onRound(experiment, round, round < warmups);
                int[] sequence = order.order(round);
                for (int position = 0; position < sequence.length; position++) {
                    play(treatments.get(sequence[position]), round, position);
                }
            }
        }

        private void play(Treatment treatment, int round, int position) throws InterruptedException {
            if (failures.containsKey(treatment.identity())) {
                return;
            }
            guarded(treatment, () -> {
                long foreignBefore = foreignCpuNanos.getAsLong();
                long before = System.nanoTime();
                Sample sample = treatment.round();
                double elapsed = System.nanoTime() - before;
                double foreign = (foreignCpuNanos.getAsLong() - foreignBefore) / elapsed;
                keep(treatment.identity(), round, position, sample, foreign);
            });
        }

        private void keep(Identity who, int round, int position, Sample sample, double foreign) {
            boolean warmup = round < experiment.plan().warmups();
            log.round(experiment.name(), who, new ResultLog.RoundFacts(round, position, warmup, foreign), sample);
            List<Sample> counted = samples.get(who);
            if (!warmup && counted != null) {
                counted.add(sample);
                foreignCpu.add(foreign);
            }
        }

        /** Runs a step of a treatment; an exception ends the treatment, but never the experiment. */
        private void guarded(Treatment treatment, Step step) throws InterruptedException {
            try {
                step.run();
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                fail(treatment.identity(), e.getMessage() == null ? e.toString() : e.getMessage());
            }
        }

        /** Ends a treatment. Results have the first line of the reason only; the end of a process's log may follow. */
        private void fail(Identity who, String reason) {
            String summary = reason.lines().findFirst().orElse(reason);
            failures.put(who, summary);
            samples.remove(who);
            log.failed(experiment.name(), who.name(), summary);
            progress.onFailed(experiment, who, reason);
        }

        ExperimentResult result() {
            double[] foreign =
                    foreignCpu.stream().mapToDouble(Double::doubleValue).toArray();
            Summary quiet = foreign.length == 0 ? new Summary(0, 0, 0, 0, 0) : Summary.of(foreign);
            return new ExperimentResult(experiment, samples, failures, quiet);
        }
    }

    /** A step that may throw anything. */
    private interface Step {
        void run() throws Exception;
    }
}
