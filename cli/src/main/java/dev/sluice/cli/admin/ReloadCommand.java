package dev.sluice.cli.admin;

import picocli.CommandLine.Command;

/** The command that makes a running gateway reload its configuration. */
@Command(
        name = "reload",
        description = {
            "Makes a running gateway reload its configuration and certificates, over its admin socket (admin: "
                    + "unix:/path in its configuration), and waits until they are active.",
            "Open connections continue. On any problem, all problems are reported and nothing changes."
        },
        footer = {"", "Exit code: 0 when it is active, 2 when refused."})
public final class ReloadCommand extends AdminVerb {
    @Override
    String line() {
        return "reload";
    }
}
