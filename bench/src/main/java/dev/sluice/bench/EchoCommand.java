package dev.sluice.bench;

import dev.sluice.bench.echo.EchoBenchmark;
import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Report;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench echo} command. Exit code 0 when it ran, 2 when it could not. */
@Command(
        name = "echo",
        description = {
            "Measures plain TCP echo servers side by side: a selector of java.nio, Netty on NIO and on io_uring, Sluice on",
            "epoll and on io_uring. Messages per second, and CPU time of the server per message.",
            "",
            "Every server is a JVM of its own on one core, the load is on another and compares every byte that comes back.",
            "Rounds are interleaved in balanced order; medians and ratios within a round are shown. A full run takes about",
            "six minutes."
        },
        mixinStandardHelpOptions = true)
public final class EchoCommand implements Callable<Integer> {
    /** The exit code for what the command line or the machine does not allow. */
    private static final int REFUSED = 2;

    private static final int MOST_CONNECTIONS = 10_000;
    private static final int MOST_BYTES = 1024 * 1024;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds at every point.")
    private @Nullable Integer rounds;

    @Option(names = "--quick", description = "Fewer points, fewer and shorter rounds: about a minute.")
    private boolean quick;

    @Option(names = "--connections", paramLabel = "N,N…", split = ",", description = "Numbers of connections.")
    private List<Integer> connections = List.of();

    @Option(names = "--sizes", paramLabel = "BYTES,…", split = ",", description = "Sizes of messages.")
    private List<Integer> sizes = List.of();

    @Option(names = "--json", paramLabel = "FILE", description = "Write every round to FILE, a JSON object per line.")
    private @Nullable Path json;

    @Option(names = "--chart", paramLabel = "FILE", description = "Draw the CPU times to FILE, an SVG.")
    private @Nullable Path chart;

    @Option(names = "--markdown", description = "Print the tables as Markdown.")
    private boolean markdown;

    /** Made by picocli. */
    public EchoCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        require("--rounds", rounds == null ? List.of() : List.of(rounds), Integer.MAX_VALUE);
        require("--connections", connections, MOST_CONNECTIONS);
        require("--sizes", sizes, MOST_BYTES);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Report.Style style = markdown ? Report.Style.MARKDOWN : Report.Style.TEXT;
        try {
            new EchoBenchmark(options(), style, out, System.err).run();
            return 0;
        } catch (BenchException e) {
            System.err.println("sluice bench: " + e.getMessage());
            return REFUSED;
        }
    }

    private EchoBenchmark.Options options() {
        return new EchoBenchmark.Options(
                quick,
                Optional.ofNullable(rounds),
                connections,
                sizes,
                Optional.ofNullable(json),
                Optional.ofNullable(chart));
    }

    private void require(String option, List<Integer> figures, int most) {
        for (int figure : figures) {
            if (figure < 1 || figure > most) {
                throw new ParameterException(
                        spec.commandLine(), option + " takes figures from 1 to " + most + ", figure=" + figure);
            }
        }
    }
}
