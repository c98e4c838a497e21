package dev.sluice.cli;

import picocli.CommandLine;

/** Entry point of the {@code sluice} command. */
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit code, see {@link ExitCode}. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SluiceCommand())
                .setExecutionExceptionHandler(Problems::report)
                .setParameterExceptionHandler(Problems::reportUsage);
    }
}
