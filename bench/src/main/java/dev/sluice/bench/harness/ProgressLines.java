package dev.sluice.bench.harness;

import java.io.PrintStream;

/** A progress display: a line for each experiment, and one for each skipped treatment. */
public record ProgressLines(PrintStream out) implements ExperimentRunner.Progress {
    @Override
    public void onRound(Experiment experiment, int round, boolean warmup) {
        if (round == 0) {
            out.println(experiment.title());
        }
    }

    @Override
    public void onFailed(Experiment experiment, Identity who, String reason) {
        out.println(experiment.title() + ": " + who.name() + " is skipped: " + reason);
    }
}
