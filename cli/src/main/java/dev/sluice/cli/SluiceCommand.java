package dev.sluice.cli;

import dev.sluice.bench.BenchCommand;
import dev.sluice.cost.CostCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The root command. */
@Command(
        name = "sluice",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        description = "Encrypted transport for the JVM that wastes nothing.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            GatewayCommand.class,
            CheckCommand.class,
            ReloadCommand.class,
            CertificatesCommand.class,
            TicketsCommand.class,
            CostCommand.class,
            DoctorCommand.class,
            TopCommand.class,
            BenchCommand.class,
            VersionCommand.class,
            HelpCommand.class
        })
final class SluiceCommand {}
