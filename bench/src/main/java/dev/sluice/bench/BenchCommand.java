package dev.sluice.bench;

import picocli.CommandLine.Command;

/** The {@code sluice bench} command: the group of the harness's commands, to which {@link Main} adds the suites. */
@Command(
        name = "sluice bench",
        description = "Compares Sluice with other software on this machine.",
        subcommands = {
            ListCommand.class,
            RunCommand.class,
            AllCommand.class,
            ReportCommand.class,
            PublishCommand.class,
            CompareCommand.class,
            ClaimsCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class BenchCommand {}
