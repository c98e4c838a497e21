package dev.sluice.cli.admin;

import dev.sluice.cli.command.StandardOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that shows and changes the ticket keys of a running gateway over its admin socket. */
@Command(
        name = "tickets",
        description =
                "Shows and changes the ticket keys of a running gateway over its admin socket (admin: unix:/path in "
                        + "its configuration).",
        footer = {"", "Exit code: 0 on success, 2 when refused."},
        subcommands = {
            TicketsCommand.Show.class,
            TicketsCommand.Rotate.class,
            TicketsCommand.Import.class,
            TicketsCommand.Export.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class TicketsCommand {
    @Mixin
    @SuppressWarnings("UnusedVariable") // constructor for picocli
    private final StandardOptions standard = new StandardOptions();

    /** The subcommand that shows the keys. */
    @Command(name = "show", description = "Shows the keys, without their secrets, and the state of their store.")
    static final class Show extends AdminVerb {
        @Option(names = "--json", description = "Print one line of JSON.")
        private boolean json;

        @Override
        String line() {
            return json ? "tickets show json" : "tickets show";
        }
    }

    /** The subcommand that rotates the keys. */
    @Command(
            name = "rotate",
            description =
                    "Activates a new key as soon as all nodes can have it. Future keys are dropped; old ones open "
                            + "tickets until they expire.")
    static final class Rotate extends AdminVerb {
        @Override
        String line() {
            return "tickets rotate";
        }
    }

    /** The subcommand that imports keys. */
    @Command(
            name = "import",
            description = "Also opens tickets with the keys of a file, for the lifetime of tickets. They seal none.")
    static final class Import extends AdminVerb {
        @Parameters(
                paramLabel = "FILE",
                description = "nginx's (48 or 80 bytes) or HAProxy's (lines in Base64). The gateway reads it.")
        private @Nullable Path file;

        @Override
        String line() {
            return "tickets import " + absolute(file);
        }
    }

    /** The subcommand that exports the keys. */
    @Command(
            name = "export",
            description =
                    "Writes the keys to a new file, as lines in Base64 in the order of HAProxy's: the last is the "
                            + "next key, the last but one the current one.")
    static final class Export extends AdminVerb {
        @Parameters(paramLabel = "FILE", description = "The gateway writes it, readable by its user only.")
        private @Nullable Path file;

        @Override
        String line() {
            return "tickets export " + absolute(file);
        }
    }

    private static Path absolute(@Nullable Path file) {
        if (file == null) {
            throw new IllegalStateException("picocli accepted a command without its parameter");
        }
        return file.toAbsolutePath();
    }
}
