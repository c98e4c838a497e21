package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.Peer;
import dev.sluice.bench.terminator.Phase;
import dev.sluice.bench.terminator.TerminatorBenchmark;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench terminator} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "terminator",
        description = {
            "Compares the gateway with nginx (stream), HAProxy (tcp) and hitch: CPU seconds per GB, "
                    + "CPU time per handshake and per small message, latency at half load, memory per idle "
                    + "connection, start-up time.",
            "",
            "Servers run on one core, the load on another; rounds are interleaved in balanced order; "
                    + "medians and ratios within a round are the results. A full run takes about seventeen minutes."
        },
        mixinStandardHelpOptions = true)
final class TerminatorCommand extends MeasuringCommand {
    @Option(names = "--quick", description = "Fewer and shorter rounds: about four minutes, for a first estimate.")
    private boolean quick;

    @Mixin
    private final ServerOptions servers = new ServerOptions(Peer.usual());

    @Option(
            names = "--only",
            paramLabel = "PHASE",
            split = ",",
            description = "Only these phases: ${COMPLETION-CANDIDATES}. latency includes echo, which sets its rate.")
    private List<Phase> phases = List.of(Phase.values());

    @Option(
            names = "--jdk-load",
            description = "Let the load generator use the JDK's TLS instead of Sluice's own client.")
    private boolean jdkLoad;

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new TerminatorBenchmark(options(), new ConsoleListener(out, System.err, new Report(style))).run();
    }

    private TerminatorBenchmark.Options options() {
        return new TerminatorBenchmark.Options(
                quick, rounds(), servers.openssl(), json(), phases, servers.peers(), jdkLoad);
    }
}
