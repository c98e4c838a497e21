package dev.sluice.cli.top;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.cli.command.TerminalKey;
import dev.sluice.cli.command.TerminalKeys;
import dev.sluice.cli.command.TerminalSize;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that shows the dashboard in the terminal. */
@Command(
        name = "top",
        description = {
            "Shows the dashboard of a running gateway: handshakes, resumption, the cost of cryptography, backends,"
                    + " certificates, alerts and their remedies. q ends it.",
            ""
        },
        footer = {"", "Exit code: 0 at the end, 2 when no gateway answered at the start."})
public final class TopCommand implements Callable<Integer> {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    /** The width without a terminal. */
    private static final int PLAIN_COLUMNS = 120;

    @Option(
            names = {"-a", "--admin"},
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:9900",
            description = "The gateway's admin endpoint. Default: ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String admin;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token, if the endpoint requires " + "one.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file of trusted authorities for an https endpoint. Default: Java's.")
    private @Nullable Path authorities;

    @Option(names = "--once", description = "Print it once, as plain text; the default without a terminal.")
    private boolean once;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null again without a terminal: JDK-8351435
    public Integer call() throws InterruptedException {
        PrintWriter out = standard.out();
        try (TopClient client = new TopClient(admin, tokenFile, authorities)) {
            JsonView first = client.snapshot();
            Console console = System.console();
            if (once || console == null || !console.isTerminal()) {
                panels(first, client, PLAIN_COLUMNS, false).forEach(out::println);
                out.flush();
            } else {
                follow(client, first, out);
            }
        }
        return ExitCode.OK;
    }

    private static List<String> panels(JsonView snapshot, TopClient client, int columns, boolean ansi) {
        Charset charset = System.out.charset();
        return new TopPanels(snapshot, client.place(), columns, ansi, new Sparkline(charset)).lines();
    }

    /** Refreshes the screen until q is pressed or a signal ends the process. */
    private static void follow(TopClient client, JsonView first, PrintWriter out) throws InterruptedException {
        BlockingQueue<Optional<TerminalKey>> pressed = new LinkedBlockingQueue<>(); // empty: the terminal was resized
        Signals.onResize(() -> pressed.add(Optional.empty()));
        TerminalKeys keys = TerminalKeys.listen(key -> pressed.add(Optional.of(key)));
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
            keys.close();
            print(out, LEAVE);
        }));
        print(out, ENTER);
        TopScreen screen = new TopScreen(TerminalSize.current());
        JsonView snapshot = first;
        String trouble = "";
        while (true) {
            screen.lines(panels(snapshot, client, screen.columns(), true));
            print(out, screen.text(trouble));
            Optional<TerminalKey> event = pressed.poll(1, TimeUnit.SECONDS);
            if (event == null) {
                try {
                    snapshot = client.snapshot();
                    trouble = "";
                } catch (RefusedException lost) {
                    trouble = String.valueOf(lost.getMessage());
                }
            } else if (event.isEmpty()) {
                screen.resize(TerminalSize.current());
            } else if (event.get() == TerminalKey.QUIT) {
                return;
            } else {
                screen.move(event.get());
            }
        }
    }

    private static void print(PrintWriter out, String text) {
        out.print(text);
        out.flush();
    }
}
