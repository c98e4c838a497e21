package dev.sluice.bench;

import picocli.CommandLine.Command;

/** The {@code bench} command: the group of all benchmarks. */
@Command(
        name = "bench",
        description = "Compares Sluice with other software on this machine.",
        subcommands = {
            TerminatorCommand.class,
            RecordCommand.class,
            EchoCommand.class,
            SoakCommand.class,
            StormCommand.class,
            HostileCommand.class,
            CertificatesCommand.class,
            HandshakesCommand.class,
            PlanCommand.class,
            MetricsCommand.class
        },
        synopsisSubcommandLabel = "BENCHMARK",
        mixinStandardHelpOptions = true)
public final class BenchCommand {
    /** Creates the command; called by picocli. */
    public BenchCommand() {}
}
