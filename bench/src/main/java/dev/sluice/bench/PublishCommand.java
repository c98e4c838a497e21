package dev.sluice.bench;

import dev.sluice.bench.results.MarkedPages;
import dev.sluice.bench.results.PublishedResults;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code bench publish} command. Exit code 0 when all pages are generated, 2 when results cannot be published. */
@Command(
        name = "publish",
        description = {
            "Copies the results of runs to bench/results/published, and generates the tables of all pages that quote"
                    + " them. Prints the files that changed.",
            "",
            "Without a run it generates the pages from what is published."
        },
        mixinStandardHelpOptions = true)
final class PublishCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "RUN",
            description = "Directories or files of results, measured on a commit without local changes.")
    private List<Path> runs = List.of();

    @Option(names = "--root", paramLabel = "DIR", hidden = true, description = "The repository, for tests.")
    private Path root = ResultsOption.directory().resolve("../..").normalize();

    @Override
    public Integer call() {
        Path directory = root.resolve(ResultsOption.PUBLISHED);
        PublishedResults published = new PublishedResults(directory);
        PrintWriter names = spec.commandLine().getOut();
        runs.forEach(run -> published.publish(run).forEach(names::println));
        new MarkedPages(root, new PublishedResults(directory), Suite.questions().keySet())
                .write()
                .forEach(names::println);
        names.flush();
        return 0;
    }
}
