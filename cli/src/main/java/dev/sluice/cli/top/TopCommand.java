package dev.sluice.cli.top;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.cli.command.TerminalSize;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
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
                    + " certificates, alerts and their remedies. Ctrl-C ends it.",
            ""
        },
        footer = {"", "Exit code: 0 at the end, 2 when no gateway answered at the start."})
public final class TopCommand implements Callable<Integer> {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
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
    public Integer call() throws InterruptedException {
        PrintWriter out = standard.out();
        try (TopClient client = new TopClient(admin, tokenFile, authorities)) {
            JsonView first = client.snapshot();
            if (once || !Objects.requireNonNull(System.console()).isTerminal()) {
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

    /** Refreshes the screen until a signal ends the process. */
    private static void follow(TopClient client, JsonView first, PrintWriter out) throws InterruptedException {
        Semaphore resized = new Semaphore(0);
        Signals.onResize(resized::release);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> print(out, LEAVE)));
        print(out, ENTER);
        TerminalSize size = TerminalSize.current();
        JsonView snapshot = first;
        String trouble = "";
        while (true) {
            print(out, screen(panels(snapshot, client, size.columns(), true), trouble, size));
            if (resized.tryAcquire(1, TimeUnit.SECONDS)) {
                resized.drainPermits();
                size = TerminalSize.current();
            }
            try {
                snapshot = client.snapshot();
                trouble = "";
            } catch (RefusedException lost) {
                trouble = String.valueOf(lost.getMessage());
            }
        }
    }

    /** Returns as many lines as there are rows; the last one is for trouble. */
    private static String screen(List<String> lines, String trouble, TerminalSize size) {
        StringBuilder text = new StringBuilder(HOME);
        int shown = Math.min(lines.size(), size.rows() - 1);
        lines.subList(0, shown)
                .forEach(line -> text.append(line).append(CLEAR_LINE).append("\r\n"));
        String last = trouble.length() < size.columns() ? trouble : trouble.substring(0, size.columns() - 1);
        return text.append(last).append(CLEAR_BELOW).toString();
    }

    private static void print(PrintWriter out, String text) {
        out.print(text);
        out.flush();
    }
}
