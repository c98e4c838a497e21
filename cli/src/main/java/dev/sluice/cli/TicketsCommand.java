package dev.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class TicketsCommand {
    private static final String OK = "ok\n";
    private static final String ERROR = "error\n";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli's
    private final HelpOption help = new HelpOption();

    /** What all of them have in common. */
    abstract static class Verb implements Callable<Integer> {
        @Option(
                names = {"-a", "--admin"},
                required = true,
                paramLabel = "PATH",
                description = "The gateway's admin socket: /path or unix:/path.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String admin;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Mixin
        @SuppressWarnings("UnusedVariable") // picocli's
        private final HelpOption help = new HelpOption();

        /** What the gateway is told. */
        abstract String line();

        @Override
        public Integer call() throws IOException {
            String path = admin.startsWith("unix:") ? admin.substring("unix:".length()) : admin;
            String answer = ask(Path.of(path), line());
            PrintWriter out = spec.commandLine().getOut();
            if (answer.startsWith(OK)) {
                out.print(answer.substring(OK.length()));
                out.flush();
                return ExitCode.OK;
            }
            throw new RefusedException(
                    answer.startsWith(ERROR)
                            ? answer.substring(ERROR.length()).strip()
                            : "what listens on " + path
                                    + " is no gateway's admin socket; check the path after --admin");
        }
    }

    private static String ask(Path path, String line) throws IOException {
        try (SocketChannel gateway = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                gateway.write(bytes);
            }
            return new String(Channels.newInputStream(gateway).readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            throw new RefusedException("no gateway answers on " + path + " (" + e.getMessage()
                    + "); see that it runs, that its configuration has admin: unix:" + path
                    + ", and run this as the gateway's user");
        }
    }

    /** Shows. */
    @Command(name = "show", description = "Shows the keys, without their secrets, and how their store stands.")
    static final class Show extends Verb {
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
    static final class Rotate extends Verb {
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
    static final class Import extends Verb {
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
    static final class Export extends Verb {
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
