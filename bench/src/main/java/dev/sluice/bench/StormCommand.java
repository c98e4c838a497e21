package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.Peer;
import dev.sluice.bench.terminator.StormBenchmark;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench storm} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "storm",
        description = {
            "Measures the effect of a handshake storm on the gateway, nginx and HAProxy: latency of "
                    + "established connections without and with it, the share of resuming clients that are "
                    + "served, and the time until others are refused.",
            "",
            "Servers run on one core, the load on another, where the storm has the lowest priority. "
                    + "HAProxy runs a second time with a limit on handshakes (maxsslrate). A full run takes "
                    + "about nine minutes."
        },
        mixinStandardHelpOptions = true)
final class StormCommand extends MeasuringCommand {
    private static final double TIMES_MAX = 100;

    @Option(names = "--quick", description = "Fewer and shorter rounds: about a minute, for a first estimate.")
    private boolean quick;

    @Option(
            names = "--times",
            paramLabel = "X",
            description = "Storm rate as a multiple of the fastest server's capacity. Default: ${DEFAULT-VALUE}")
    private double times = 5;

    @Mixin
    private final ServerOptions servers =
            new ServerOptions(List.of(Peer.SLUICE_EPOLL, Peer.SLUICE_IO_URING, Peer.NGINX, Peer.HAPROXY));

    @Option(names = "--chart", paramLabel = "FILE", description = "Draw the latencies to FILE, an SVG.")
    private @Nullable Path chart;

    @Override
    void check() {
        if (!(times > 0 && times <= TIMES_MAX)) {
            throw refused("--times must be above 0 and at most " + TIMES_MAX + ", times=" + times);
        }
    }

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new StormBenchmark(options(), style, out, System.err).run();
    }

    private StormBenchmark.Options options() {
        return new StormBenchmark.Options(
                quick, rounds(), times, servers.peers(), servers.openssl(), json(), Optional.ofNullable(chart));
    }
}
