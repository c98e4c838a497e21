package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that measures in rounds and prints tables. Exit code 0 on success, 2 when it could not run. */
abstract class MeasuringCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds of each measurement.")
    private @Nullable Integer rounds;

    @Mixin
    private final ResultsOption results = new ResultsOption();

    private Optional<Path> json = Optional.empty();

    @Mixin
    private final StyleOption tables = new StyleOption();

    @Override
    public final Integer call() throws InterruptedException {
        if (rounds != null && rounds < 1) {
            throw refused("--rounds must be at least 1, rounds=" + rounds);
        }
        check();
        json = Optional.of(results.begin(spec));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        measure(tables.style(), out);
        return 0;
    }

    /** Checks the command's own options; {@link #refused} reports errors. */
    void check() {}

    /** Measures and prints the results to {@code out}; progress goes to standard error. */
    abstract void measure(Report.Style style, PrintStream out) throws InterruptedException;

    final ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Returns the number of counted rounds, if set. */
    final Optional<Integer> rounds() {
        return Optional.ofNullable(rounds);
    }

    /** Returns the file of the results; empty before the measurement. */
    final Optional<Path> json() {
        return json;
    }
}
