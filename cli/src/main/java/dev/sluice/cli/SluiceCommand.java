package dev.sluice.cli;

import dev.sluice.cli.admin.CertificatesCommand;
import dev.sluice.cli.admin.ReloadCommand;
import dev.sluice.cli.admin.TicketsCommand;
import dev.sluice.cli.cost.CostCommand;
import dev.sluice.cli.doctor.DoctorCommand;
import dev.sluice.cli.gateway.CheckCommand;
import dev.sluice.cli.gateway.GatewayCommand;
import dev.sluice.cli.gateway.ProblemReport;
import dev.sluice.cli.top.TopCommand;
import dev.sluice.cli.transfer.KeysCommand;
import dev.sluice.cli.transfer.MountCommand;
import dev.sluice.cli.transfer.PullCommand;
import dev.sluice.cli.transfer.PushCommand;
import dev.sluice.cli.transfer.ReceiveCommand;
import dev.sluice.cli.transfer.RelayCommand;
import dev.sluice.cli.transfer.SendCommand;
import dev.sluice.cli.transfer.ServeCommand;
import picocli.CommandLine;
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
            MountCommand.class,
            SendCommand.class,
            ReceiveCommand.class,
            ServeCommand.class,
            PullCommand.class,
            PushCommand.class,
            RelayCommand.class,
            KeysCommand.class,
            VersionCommand.class,
            HelpCommand.class
        })
public final class SluiceCommand {
    private SluiceCommand() {}

    /**
     * Returns the command line, ready to be executed. Not a method of {@link Main}: the JVM's launcher would load the
     * types of its public methods.
     */
    public static CommandLine line() {
        return new CommandLine(new SluiceCommand())
                .setExecutionExceptionHandler(
                        (thrown, command, parsed) -> ProblemReport.report(thrown, command.getErr()))
                .setParameterExceptionHandler(ProblemReport::reportUsage);
    }
}
