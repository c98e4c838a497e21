package dev.sluice.bench;

import dev.sluice.bench.harness.Origin;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.results.ResultDirectory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option that names the file of a suite's results. */
final class ResultsOption {
    /** The name of the option. */
    static final String NAME = "--json";

    /** The directory of the results that documents quote, in the repository. */
    static final Path PUBLISHED = Path.of("bench/results/published");

    /** The directory of all runs, as the launcher sets it. */
    private static final String DIRECTORY_VARIABLE = "SLUICE_BENCH_RESULTS";

    /** The commit of the sources, as the launcher sets it. */
    private static final String COMMIT_VARIABLE = "SLUICE_BENCH_COMMIT";

    @Option(
            names = NAME,
            paramLabel = "FILE",
            description = "Write the results to FILE, a JSON object per line, instead of a new directory under "
                    + "bench/results.")
    private @Nullable Path file;

    /** Returns the directory of all runs. */
    static Path directory() {
        return Path.of(System.getenv().getOrDefault(DIRECTORY_VARIABLE, "bench/results"));
    }

    /** Returns the directory of a run that starts now, which need not exist yet. */
    static Path run() {
        return ResultDirectory.of(directory(), Instant.now(), commit());
    }

    /** Starts the file of a suite's results, states its name on standard error, and returns it. */
    Path begin(CommandSpec command) {
        String suite = command.name();
        Path results = file == null ? ResultDirectory.file(run(), suite) : file;
        List<String> arguments = command.commandLine().getParseResult().originalArgs();
        ResultLog.begin(results, new Origin(suite, text(arguments), commit(), Instant.now()));
        System.err.println("Results: " + results);
        return results;
    }

    /** Returns the command line that repeats a run, without the place of its results. */
    static String text(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("./sluice", "bench"));
        boolean value = false;
        for (String argument : arguments) {
            if (!value && !argument.startsWith(NAME + "=") && !argument.equals(NAME)) {
                words.add(argument.matches("[\\w./:,=+-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'");
            }
            value = argument.equals(NAME);
        }
        return String.join(" ", words);
    }

    private static String commit() {
        return System.getenv().getOrDefault(COMMIT_VARIABLE, "unknown");
    }
}
