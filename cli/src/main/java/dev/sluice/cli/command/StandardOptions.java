package dev.sluice.cli.command;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command, and the writers to its user. */
public final class StandardOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean asked;

    /** Returns whether help was requested; picocli shows it itself. */
    boolean isAsked() {
        return asked;
    }

    /** Returns the writer to standard output. */
    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Returns the writer to standard error. */
    public PrintWriter err() {
        return command.commandLine().getErr();
    }
}
