package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.MetricsBenchmark;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** The {@code bench metrics} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "metrics",
        description = {
            "Measures the cost of metrics for the gateway: CPU time per round trip, per GB and per "
                    + "handshake without them, with them, and while the page is scraped each second; and the "
                    + "time of a scrape with 10,000 connections open.",
            "",
            "Servers run on one core, the load on another; rounds are interleaved in balanced order. A "
                    + "full run takes about three minutes."
        },
        mixinStandardHelpOptions = true)
final class MetricsCommand extends OneGatewayCommand {

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new MetricsBenchmark(options(), style, out, System.err).run();
    }

    private MetricsBenchmark.Options options() {
        return new MetricsBenchmark.Options(quick(), rounds(), gateway(), openssl(), json());
    }
}
