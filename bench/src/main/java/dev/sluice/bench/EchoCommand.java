package dev.sluice.bench;

import dev.sluice.bench.echo.EchoBenchmark;
import dev.sluice.bench.harness.Report;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench echo} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "echo",
        description = {
            "Measures plain TCP echo servers side by side: a selector of java.nio, Netty on NIO and on "
                    + "io_uring, Sluice on epoll and on io_uring.",
            "Messages per second, and CPU time of the server per message.",
            "",
            "Every server is a separate JVM on one core; the load is on another core and checks every "
                    + "returned byte. Rounds are interleaved in balanced order; the results are medians and "
                    + "ratios within a round. A full run takes about six minutes."
        },
        mixinStandardHelpOptions = true)
final class EchoCommand extends MeasuringCommand {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int MOST_BYTES = 1024 * 1024;

    @Option(names = "--quick", description = "Fewer points, fewer and shorter rounds: about a minute.")
    private boolean quick;

    @Option(names = "--connections", paramLabel = "N,N…", split = ",", description = "Numbers of connections.")
    private List<Integer> connections = List.of();

    @Option(names = "--sizes", paramLabel = "BYTES,…", split = ",", description = "Sizes of messages.")
    private List<Integer> sizes = List.of();

    @Option(names = "--chart", paramLabel = "FILE", description = "Draw the CPU times to FILE, an SVG.")
    private @Nullable Path chart;

    @Override
    void check() {
        require("--connections", connections, MOST_CONNECTIONS);
        require("--sizes", sizes, MOST_BYTES);
    }

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new EchoBenchmark(options(), style, out, System.err).run();
    }

    private EchoBenchmark.Options options() {
        return new EchoBenchmark.Options(quick, rounds(), connections, sizes, json(), Optional.ofNullable(chart));
    }

    private void require(String option, List<Integer> figures, int most) {
        for (int figure : figures) {
            if (figure < 1 || figure > most) {
                throw refused(option + " must be from 1 to " + most + ", value=" + figure);
            }
        }
    }
}
