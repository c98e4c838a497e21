package dev.sluice.cli.admin;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command that shows and sets the level of a running gateway's log. */
@Command(
        name = "log",
        description = {
            "Shows the log's level and target of a running gateway, and the lines it lost, over its admin socket"
                    + " (admin: unix:/path in its configuration).",
            "With LEVEL it sets the lowest level that is written, until a reload changes log in the configuration, or"
                    + " a restart."
        },
        footer = {"", "Exit code: 0 on success, 2 when refused."})
public final class LogCommand extends AdminVerb {
    @Parameters(arity = "0..1", paramLabel = "LEVEL", description = "info, warn or error.")
    private @Nullable String level;

    @Override
    String line() {
        return level == null ? "log" : "log " + level;
    }
}
