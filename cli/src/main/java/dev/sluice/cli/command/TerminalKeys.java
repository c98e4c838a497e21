package dev.sluice.cli.command;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a terminal, each as soon as it is pressed: the terminal is set by stty (coreutils) to pass on characters
 * instead of lines, and set back by {@link #close()}. Without stty there are no keys.
 */
public final class TerminalKeys implements AutoCloseable {
    private static final int ESCAPE = 27;
    private static final File TERMINAL = new File("/dev/tty");

    private final String before;

    private TerminalKeys(String before) {
        this.before = before;
    }

    /**
     * Begins to listen.
     *
     * @param pressed runs on a thread of its own
     */
    public static TerminalKeys listen(Consumer<TerminalKey> pressed) {
        String before = stty("-g");
        if (!before.isEmpty()) {
            stty("-icanon", "-echo", "min", "1", "time", "0");
            Thread.ofPlatform().daemon().name("keys").start(() -> read(System.in, pressed));
        }
        return new TerminalKeys(before);
    }

    /** Reads keys to the end of the stream. */
    static void read(InputStream from, Consumer<TerminalKey> pressed) {
        try {
            for (int character = from.read(); character >= 0; character = from.read()) {
                TerminalKey key = character == ESCAPE ? sequence(from) : letter(character);
                if (key != null) {
                    pressed.accept(key);
                }
            }
        } catch (IOException gone) {
            // No terminal, no keys.
        }
    }

    private static @Nullable TerminalKey letter(int character) {
        return switch (character) {
            case 'q', 'Q' -> TerminalKey.QUIT;
            case 'k' -> TerminalKey.UP;
            case 'j', '\n' -> TerminalKey.DOWN;
            case 'b' -> TerminalKey.PAGE_UP;
            case ' ', 'f' -> TerminalKey.PAGE_DOWN;
            case 'g' -> TerminalKey.TOP;
            case 'G' -> TerminalKey.BOTTOM;
            default -> null;
        };
    }

    /** Reads what follows an escape character: xterm's sequences of the keys for moving. */
    private static @Nullable TerminalKey sequence(InputStream from) throws IOException {
        int kind = from.read();
        if (kind != '[' && kind != 'O') {
            return null;
        }
        return switch (from.read()) {
            case 'A' -> TerminalKey.UP;
            case 'B' -> TerminalKey.DOWN;
            case 'H' -> TerminalKey.TOP;
            case 'F' -> TerminalKey.BOTTOM;
            case '5' -> tilde(from, TerminalKey.PAGE_UP);
            case '6' -> tilde(from, TerminalKey.PAGE_DOWN);
            default -> null;
        };
    }

    private static @Nullable TerminalKey tilde(InputStream from, TerminalKey key) throws IOException {
        return from.read() == '~' ? key : null;
    }

    /** Sets the terminal back. Idempotent. */
    @Override
    public void close() {
        if (!before.isEmpty()) {
            stty(before);
        }
    }

    /** Runs stty; returns what it prints, "" when it fails. */
    private static String stty(String... arguments) {
        try {
            ProcessBuilder stty = new ProcessBuilder("stty");
            stty.command().addAll(List.of(arguments));
            Process process = stty.redirectInput(TERMINAL)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() == 0 ? printed.strip() : "";
        } catch (IOException noTerminal) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
