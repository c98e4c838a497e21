package dev.sluice.cli.command;

import picocli.CommandLine.Option;

/** The common options of all commands. */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean asked;

    /** Returns whether help was requested; picocli shows it itself. */
    boolean isAsked() {
        return asked;
    }
}
