package dev.sluice.cli.admin;

import dev.sluice.cli.command.StandardOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that shows and controls the servers of a running gateway over its admin socket. */
@Command(
        name = "backends",
        description = "Shows and controls the servers of a running gateway's backends over its admin socket (admin: "
                + "unix:/path in its configuration). Changes outlast reloads, and end with the gateway.",
        footer = {"", "Exit code: 0 on success, 2 when refused."},
        subcommands = {
            BackendsCommand.ListServers.class,
            BackendsCommand.Drain.class,
            BackendsCommand.Disable.class,
            BackendsCommand.Enable.class,
            BackendsCommand.Weight.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class BackendsCommand {
    @Mixin
    @SuppressWarnings("UnusedVariable") // constructor for picocli
    private final StandardOptions standard = new StandardOptions();

    /** The subcommand that lists the servers. */
    @Command(name = "list", description = "Lists the servers with state, weight, role and open connections.")
    static final class ListServers extends AdminVerb {
        @Option(names = "--json", description = "Print one line of JSON.")
        private boolean json;

        @Override
        String line() {
            return json ? "backends list json" : "backends list";
        }
    }

    /** A subcommand about one server. */
    abstract static class OfServer extends AdminVerb {
        @Parameters(index = "0", paramLabel = "BACKEND", description = "Name of the backend.")
        private @Nullable String backend;

        @Parameters(index = "1", paramLabel = "SERVER", description = "The server, as the configuration writes it.")
        private @Nullable String server;

        /** Returns the request line: fields separated by tabs, since names may have spaces. */
        final String line(String verb, @Nullable String argument) {
            String line = String.join("\t", "backends " + verb, given(backend), given(server));
            return argument == null ? line : line + "\t" + argument;
        }

        private static String given(@Nullable String parameter) {
            return Objects.requireNonNull(parameter, "picocli accepted a command without its parameter");
        }
    }

    /** A subcommand after which a server receives no new connections. */
    abstract static class Leave extends OfServer {
        @Option(
                names = "--wait",
                paramLabel = "TIME",
                description = "Wait until its connections have ended, for 30s, 5m, …; exit code 2 if some are left.")
        private @Nullable String wait;

        final String leave(String verb) {
            return line(verb, wait);
        }
    }

    /** The subcommand that drains a server. */
    @Command(
            name = "drain",
            description = "Gives a server no new connections. Open ones stay, and it is checked further.")
    static final class Drain extends Leave {
        @Override
        String line() {
            return leave("drain");
        }
    }

    /** The subcommand that disables a server. */
    @Command(
            name = "disable",
            description = "Gives a server no new connections and no health checks, for maintenance. Open ones stay.")
    static final class Disable extends Leave {
        @Override
        String line() {
            return leave("disable");
        }
    }

    /** The subcommand that enables a server. */
    @Command(
            name = "enable",
            description = "Gives a server connections again; it grows to its weight within slow-start.")
    static final class Enable extends OfServer {
        @Override
        String line() {
            return line("enable", null);
        }
    }

    /** The subcommand that sets a server's weight. */
    @Command(
            name = "weight",
            description = "Sets the weight of a server, until a reload brings another configured weight.")
    static final class Weight extends OfServer {
        @Parameters(index = "2", paramLabel = "WEIGHT", description = "1 to 256.")
        private @Nullable String weight;

        @Override
        String line() {
            return line("weight", weight);
        }
    }
}
