package dev.sluice.cli.command;

import picocli.CommandLine.Option;

/** What every command understands. */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    private boolean asked;

    /** Whether help was asked for; picocli shows it by itself. */
    boolean isAsked() {
        return asked;
    }
}
