package dev.sluice.cli;

import dev.sluice.cli.admin.BackendsCommand;
import dev.sluice.cli.admin.CertificatesCommand;
import dev.sluice.cli.admin.LogCommand;
import dev.sluice.cli.admin.ReloadCommand;
import dev.sluice.cli.admin.TicketsCommand;
import dev.sluice.cli.allocations.AllocationsCommand;
import dev.sluice.cli.cost.CostCommand;
import dev.sluice.cli.doctor.DoctorCommand;
import dev.sluice.cli.gateway.CheckCommand;
import dev.sluice.cli.gateway.EchCommand;
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
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The root command. */
@Command(
        name = "sluice",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        description = "Encrypted transport for the JVM that wastes nothing.",
        synopsisSubcommandLabel = "COMMAND")
public final class SluiceCommand {
    /** The subcommands: {@code PullCommand} is the command {@code pull}. */
    private static final List<Class<?>> SUBCOMMANDS = List.of(
            GatewayCommand.class,
            CheckCommand.class,
            ReloadCommand.class,
            LogCommand.class,
            CertificatesCommand.class,
            TicketsCommand.class,
            BackendsCommand.class,
            EchCommand.class,
            CostCommand.class,
            DoctorCommand.class,
            TopCommand.class,
            AllocationsCommand.class,
            MountCommand.class,
            SendCommand.class,
            ReceiveCommand.class,
            ServeCommand.class,
            PullCommand.class,
            PushCommand.class,
            RelayCommand.class,
            KeysCommand.class,
            VersionCommand.class,
            HelpCommand.class);

    private static final String SUFFIX = "Command";

    private SluiceCommand() {}

    /**
     * Returns the command line for arguments, ready to be executed. It has only the subcommand that the first argument
     * names, since picocli reads the annotations of all that it has; with any other argument it has all. Not a method
     * of {@link Main}: the JVM's launcher would load the types of its public methods.
     */
    public static CommandLine line(String... arguments) {
        CommandLine line = new CommandLine(new SluiceCommand());
        List<Class<?>> named = SUBCOMMANDS.stream()
                .filter(each -> arguments.length > 0 && name(each).equals(arguments[0]) && each != HelpCommand.class)
                .toList();
        (named.isEmpty() ? SUBCOMMANDS : named).forEach(line::addSubcommand);
        return line.setExecutionExceptionHandler(
                        (thrown, command, parsed) -> ProblemReport.report(thrown, command.getErr()))
                .setParameterExceptionHandler(ProblemReport::reportUsage);
    }

    /** Runs a command; returns its exit code. */
    static int execute(String... arguments) {
        return line(arguments).execute(arguments);
    }

    /** Returns the names of all subcommands. */
    static List<String> names() {
        return SUBCOMMANDS.stream().map(SluiceCommand::name).toList();
    }

    private static String name(Class<?> subcommand) {
        String name = subcommand.getSimpleName();
        return name.substring(0, name.length() - SUFFIX.length()).toLowerCase(Locale.ROOT);
    }
}
