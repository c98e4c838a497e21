package dev.sluice.bench;

import picocli.CommandLine.Command;

/** The {@code sluice bench} command: the group of all benchmarks. */
@Command(
        name = "sluice bench",
        description = "Compares Sluice with other software on this machine.",
        subcommands = {
            TerminatorCommand.class,
            RecordCommand.class,
            EchoCommand.class,
            SoakCommand.class,
            TransferCommand.class,
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
final class BenchCommand {}
