package dev.sluice.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The size of the terminal, read with stty (coreutils), since the JDK does not provide it.
 *
 * @param rows lines
 * @param columns characters in a line
 */
public record TerminalSize(int rows, int columns) {
    private static final TerminalSize USUAL = new TerminalSize(24, 80);
    private static final Path TERMINAL = Path.of("/dev/tty");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final Path DEVICES = Path.of("/dev");

    /** Returns the current size; 80 by 24 if unknown. */
    public static TerminalSize current() {
        return of(TERMINAL).orElse(USUAL);
    }

    /** Returns the size of the terminal that standard error is; empty when it is none. */
    public static Optional<TerminalSize> ofStandardError() {
        try {
            // Pipes and files need no process to tell.
            return Files.readSymbolicLink(STANDARD_ERROR).startsWith(DEVICES) ? of(STANDARD_ERROR) : Optional.empty();
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    private static Optional<TerminalSize> of(Path terminal) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(terminal.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0
                    ? Optional.of(parse(answer.strip()))
                    : Optional.empty();
        } catch (IOException noTerminal) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Parses two numbers; returns 80 by 24 for anything else. */
    public static TerminalSize parse(String text) {
        if (!text.matches("[1-9][0-9]{0,3} [1-9][0-9]{0,3}")) {
            return USUAL;
        }
        int space = text.indexOf(' ');
        return new TerminalSize(
                Integer.parseInt(text.substring(0, space)), Integer.parseInt(text.substring(space + 1)));
    }
}
