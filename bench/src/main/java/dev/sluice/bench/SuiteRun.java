package dev.sluice.bench;

import dev.sluice.bench.results.ResultDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** A run of several suites, one after the other, with results in one directory. A failed suite does not end it. */
final class SuiteRun {
    private final List<Suite> suites;
    private final boolean quick;
    private final Optional<Path> openssl;
    private final PrintWriter progress;

    /**
     * Creates a run.
     *
     * @param suites in the order of running
     * @param quick true for quick estimates
     * @param openssl the directory of the OpenSSL libraries of all programs in suites that take one
     * @param progress receives a line before each suite and the outcomes
     */
    SuiteRun(List<Suite> suites, boolean quick, Optional<Path> openssl, PrintWriter progress) {
        this.suites = suites;
        this.quick = quick;
        this.openssl = openssl;
        this.progress = progress;
    }

    /** Runs all suites and returns the greatest of their exit codes. */
    int play() {
        Path directory = ResultsOption.run();
        Map<Suite, Integer> outcomes = new EnumMap<>(Suite.class);
        for (Suite suite : suites) {
            progress.printf("%n%s (%s): %s%n", suite.label(), suite.duration(quick), suite.question());
            progress.flush();
            outcomes.put(suite, play(suite, ResultDirectory.file(directory, suite.label())));
        }
        progress.println();
        outcomes.forEach((suite, code) -> progress.println(suite.label() + ": " + outcome(code)));
        progress.println("Results: " + directory + "; the page: ./sluice bench report " + directory);
        progress.flush();
        return outcomes.values().stream().mapToInt(Integer::intValue).max().orElse(ExitCode.OK);
    }

    private int play(Suite suite, Path file) {
        List<String> arguments = new ArrayList<>(suite.arguments(quick));
        CommandSpec command = CommandSpec.forAnnotatedObject(suite.command());
        if (command.findOption(ResultsOption.NAME) != null) {
            arguments.addAll(List.of(ResultsOption.NAME, file.toString()));
        }
        if (command.findOption(OpenSslOption.NAME) != null) {
            openssl.ifPresent(libraries -> arguments.addAll(List.of(OpenSslOption.NAME, libraries.toString())));
        }
        return Main.commandLine().execute(arguments.toArray(String[]::new));
    }

    private static String outcome(int code) {
        return switch (code) {
            case ExitCode.OK -> "done";
            case ExitCode.SOFTWARE -> "failed";
            default -> "could not run";
        };
    }
}
