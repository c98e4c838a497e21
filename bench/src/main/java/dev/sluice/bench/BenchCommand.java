package dev.sluice.bench;

import picocli.CommandLine.Command;

/** The {@code sluice bench} command: a group whose subcommands are the benchmarks. */
@Command(
        name = "sluice bench",
        description = "Measures Sluice beside others, on this machine.",
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
            ClaimsCommand.class,
            ExperimentCommand.class,
            MetricsCommand.class
        },
        synopsisSubcommandLabel = "BENCHMARK",
        mixinStandardHelpOptions = true)
public final class BenchCommand {
    /** Made by picocli. */
    public BenchCommand() {}
}
