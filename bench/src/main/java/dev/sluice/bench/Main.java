package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import picocli.CommandLine;

/** Entry point of {@code ./sluice bench}, which is built and launched apart from the shipped command. */
public final class Main {
    private Main() {}

    /** Runs one benchmark and ends the process with its exit code: 0 when it ran, 2 when it could not. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** Returns a new command line with the command of each suite. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new BenchCommand());
        for (Suite suite : Suite.values()) {
            line.addSubcommand(suite.label(), suite.command());
        }
        return line.setExecutionExceptionHandler(Main::report);
    }

    private static int report(Exception thrown, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (!(thrown instanceof BenchException)) {
            throw thrown;
        }
        command.getErr().println("sluice bench: " + thrown.getMessage());
        return CommandLine.ExitCode.USAGE;
    }
}
