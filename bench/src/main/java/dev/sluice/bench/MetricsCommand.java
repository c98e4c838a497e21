package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.MetricsBenchmark;
import dev.sluice.bench.terminator.Peer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench metrics} command. Exit code 0 when it ran, 2 when it could not. */
@Command(
        name = "metrics",
        description = {
            "Measures what metrics cost the gateway: CPU time per round trip, per GB and per handshake without them, with them,",
            "and while the page is scraped each second; and how long a scrape takes with 10,000 connections open.",
            "",
            "Servers run on one core, the load on another; rounds are interleaved in balanced order. A full run takes about",
            "three minutes."
        },
        mixinStandardHelpOptions = true)
public final class MetricsCommand extends MeasuringCommand {
    @Option(names = "--quick", description = "Fewer and shorter rounds: about a minute, for a first impression.")
    private boolean quick;

    @Option(names = "--epoll", description = "The gateway runs on epoll, not on io_uring.")
    private boolean epoll;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3; without it, the system's.")
    private @Nullable Path openssl;

    /** Made by picocli. */
    public MetricsCommand() {}

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new MetricsBenchmark(options(), style, out, System.err).run();
    }

    private MetricsBenchmark.Options options() {
        return new MetricsBenchmark.Options(
                quick,
                rounds(),
                epoll ? Peer.SLUICE_EPOLL : Peer.SLUICE_IO_URING,
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                json());
    }
}
