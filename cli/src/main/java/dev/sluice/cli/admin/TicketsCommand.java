package dev.sluice.cli.admin;

import dev.sluice.cli.command.HelpOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a running gateway about its ticket keys, and changes them, by its admin socket. */
@Command(
        name = "tickets",
        description =
                "Shows and changes the ticket keys of a running gateway, by its admin socket (admin: unix:/path in its"
                        + " configuration).",
        footer = {"", "Exit code: 0 when it was done, 2 when it was refused."},
        subcommands = {
            TicketsCommand.Show.class,
            TicketsCommand.Rotate.class,
            TicketsCommand.Import.class,
            TicketsCommand.Export.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class TicketsCommand {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli's
    private final HelpOption help = new HelpOption();

    /** Shows. */
    @Command(name = "show", description = "Shows the keys, without their secrets, and how their store stands.")
    static final class Show extends AdminVerb {
        @Option(names = "--json", description = "In one line of JSON.")
        private boolean json;

        @Override
        String line() {
            return json ? "tickets show json" : "tickets show";
        }
    }

    /** Rotates. */
    @Command(
            name = "rotate",
            description =
                    "Has a new key take over as soon as all nodes can have it. Keys that were to come are dropped; old ones"
                            + " open tickets until they expire.")
    static final class Rotate extends AdminVerb {
        @Override
        String line() {
            return "tickets rotate";
        }
    }

    /** Imports. */
    @Command(
            name = "import",
            description =
                    "Opens tickets with the keys of a file, too, for as long as tickets are kept. They seal none.")
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

    /** Exports. */
    @Command(
            name = "export",
            description =
                    "Writes the keys to a new file, as lines in Base64 in the order of HAProxy's: the last is the next key,"
                            + " the last but one the current one.")
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
            throw new IllegalStateException("picocli lets no command pass without its parameter");
        }
        return file.toAbsolutePath();
    }
}
