package dev.sluice.cli.admin;

import picocli.CommandLine.Command;

/** Has a running gateway take up its configuration. */
@Command(
        name = "reload",
        description = {
            "Has a running gateway read its configuration and certificates again, by its admin socket (admin: unix:/path in"
                    + " its configuration), and waits until they are served.",
            "What is open goes on. When anything is wrong, all of it is told, and nothing changes."
        },
        footer = {"", "Exit code: 0 when it is served, 2 when it was refused."})
public final class ReloadCommand extends AdminVerb {
    @Override
    String line() {
        return "reload";
    }
}
