package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.results.Comparison;
import dev.sluice.bench.results.ResultDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code bench compare} command. Exit code 0 without a regression, 1 with one, 2 when nothing was compared. */
@Command(
        name = "compare",
        description = {
            "Compares two runs: the rows of the same suite, experiment, treatment and metric.",
            "",
            "A row has changed if the 99.9 % bootstrap interval of the ratio of its medians lies beyond the threshold"
                    + " or beyond the noise that either run's control had, whichever is larger. Rows of fewer than 5"
                    + " rounds are undecided. Sluice's rows decide the exit code: headline metrics, and those with a"
                    + " ratio to the best peer."
        },
        mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
    private static final int WORSE = 1;
    private static final double PERCENT = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A", description = "The first run: a directory or a file of results.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path first;

    @Parameters(index = "1", paramLabel = "B", description = "The second run: a directory or a file of results.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path second;

    @Option(
            names = "--threshold",
            paramLabel = "PERCENT",
            description = "The least change to report. Default: ${DEFAULT-VALUE}")
    private double threshold = Comparison.THRESHOLD * PERCENT;

    @Override
    public Integer call() {
        if (!(threshold >= 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--threshold must not be negative, threshold=" + threshold);
        }
        Comparison comparison =
                Comparison.of(ResultDirectory.newest(first), ResultDirectory.newest(second), threshold / PERCENT);
        if (comparison.isEmpty()) {
            throw new BenchException("the runs have no suite in common: " + first + ", " + second);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(comparison.text());
        out.flush();
        return comparison.regressions().isEmpty() && comparison.faults().isEmpty() ? 0 : WORSE;
    }
}
