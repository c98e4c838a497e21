package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.results.ResultDirectory;
import dev.sluice.bench.results.ResultPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code bench report} command. Exit code 0 when the page was written, 2 without results. */
@Command(
        name = "report",
        description = "Writes the newest results of each suite as one self-contained HTML page, and prints its name.",
        mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "A directory of results, or of several runs; by default bench/results.")
    private @Nullable Path directory;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the page to FILE instead of DIR/report.html.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        Path results = directory == null ? ResultsOption.directory() : directory;
        String page = ResultPage.of(ResultDirectory.newest(results), Suite.questions());
        Path beside = Files.isDirectory(results) ? results.resolve(".") : results;
        Path file = out == null ? beside.resolveSibling("report.html") : out;
        try {
            Files.writeString(file, page);
        } catch (IOException e) {
            throw new BenchException("cannot write " + file + ": " + e.getMessage() + "; name another --out", e);
        }
        PrintWriter names = spec.commandLine().getOut();
        names.println(file);
        names.flush();
        return 0;
    }
}
