package dev.sluice.cli;

import picocli.CommandLine;

/** Entry point of the {@code sluice} command. */
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs the command; see {@link ExitCode} for what is returned. */
    static int run(String... arguments) {
        return new CommandLine(new SluiceCommand())
                .setExecutionExceptionHandler(Problems::report)
                .setParameterExceptionHandler(Problems::reportUsage)
                .execute(arguments);
    }
}
