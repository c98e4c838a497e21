package dev.sluice.cli;

import dev.sluice.cli.command.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command that describes another one, also a subcommand: picocli's own heeds the first name only. */
@Command(
        name = "help",
        helpCommand = true,
        description = "Describes a command and its options; \"help tickets rotate\" a subcommand.")
final class HelpCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "[COMMAND]",
            hideParamSyntax = true,
            description = "The command's name, and its subcommand's.")
    private List<String> names = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine described = spec.parent().commandLine();
        for (String name : names) {
            CommandLine next = described.getSubcommands().get(name);
            if (next == null) {
                throw new UnmatchedArgumentException(described, List.of(name));
            }
            described = next;
        }
        described.usage(spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
