package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.idle.IdleBenchmark;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench idle} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "idle",
        description = {
            "Measures resting TLS connections through the gateway to the backend: memory by owner, CPU time of timers "
                    + "and sweeps, latency of a message among them, time to drain; beside nginx with fewer.",
            "",
            "Clients come from several loopback addresses. A server that lacks descriptors for all connections (two "
                    + "each) runs several times: raise the hard limit (ulimit -Hn) for fewer servers. The servers run "
                    + "on one core, clients and backends on another. 250,000 connections take about 7 GiB of memory, "
                    + "and the run fifteen minutes."
        },
        mixinStandardHelpOptions = true)
final class IdleCommand extends MeasuringCommand {
    private static final int CONNECTIONS = 250_000;
    private static final int QUICK_CONNECTIONS = 20_000;
    private static final int CONNECTIONS_MAX = 4_000_000;

    @Option(names = "--quick", description = "20,000 connections and shorter rests: about two minutes.")
    private boolean quick;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections at rest; 250,000 unless given, 20,000 with --quick.")
    private @Nullable Integer connections;

    @Mixin
    private final GatewayOptions gateway = new GatewayOptions();

    @Override
    void check() {
        if (count() < 1 || count() > CONNECTIONS_MAX) {
            throw refused("--connections must be from 1 to " + CONNECTIONS_MAX + ", connections=" + count());
        }
    }

    private int count() {
        return connections != null ? connections : quick ? QUICK_CONNECTIONS : CONNECTIONS;
    }

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        IdleBenchmark.Options options =
                new IdleBenchmark.Options(quick, count(), rounds(), gateway.transport(), gateway.openssl(), json());
        new IdleBenchmark(options, style, out, System.err).run();
    }
}
