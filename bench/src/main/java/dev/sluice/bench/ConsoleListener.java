package dev.sluice.bench;

import dev.sluice.bench.harness.AddedCost;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.TerminatorBenchmark;
import java.io.PrintStream;
import java.util.Map;

/** A listener that prints results to standard output and progress to standard error. */
final class ConsoleListener implements TerminatorBenchmark.Listener {
    private final PrintStream results;
    private final PrintStream progress;
    private final Report report;

    ConsoleListener(PrintStream results, PrintStream progress, Report report) {
        this.results = results;
        this.progress = progress;
        this.report = report;
    }

    @Override
    public void onFacts(Map<String, String> facts) {
        results.println(report.facts(facts));
    }

    @Override
    public void onSkipped(String name, String reason) {
        results.println("Without " + name + ": " + reason + "\n");
    }

    @Override
    public void onRound(Experiment experiment, int round, boolean warmup) {
        Experiment.Plan plan = experiment.plan();
        progress.println(experiment.name() + ": round " + (round + 1) + " of " + (plan.warmups() + plan.rounds())
                + (warmup ? " (warm-up)" : ""));
    }

    @Override
    public void onFailed(Experiment experiment, Identity who, String reason) {
        progress.println(experiment.name() + ": " + who.name() + " is skipped: " + reason);
    }

    @Override
    public void onTlsAdded(AddedCost added) {
        results.println(report.added("TLS", added));
    }

    @Override
    public void onResult(ExperimentResult result) {
        results.println(report.experiment(result));
    }
}
