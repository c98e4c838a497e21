package dev.sluice.cli;

import picocli.CommandLine.Option;

/** The common options of all commands. */
final class HelpOption {
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
