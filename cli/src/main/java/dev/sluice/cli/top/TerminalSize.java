package dev.sluice.cli.top;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The size of the terminal, read with stty (coreutils), since the JDK does not provide it.
 *
 * @param rows lines
 * @param columns characters in a line
 */
record TerminalSize(int rows, int columns) {
    private static final TerminalSize USUAL = new TerminalSize(24, 80);
    private static final File TERMINAL = new File("/dev/tty");

    /** Returns the current size; 80 by 24 if unknown. */
    static TerminalSize current() throws InterruptedException {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(TERMINAL)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            stty.waitFor(1, TimeUnit.SECONDS);
            return parse(answer.strip());
        } catch (IOException noTerminal) {
            return USUAL;
        }
    }

    /** Parses two numbers; returns 80 by 24 for anything else. */
    static TerminalSize parse(String text) {
        if (!text.matches("[1-9][0-9]{0,3} [1-9][0-9]{0,3}")) {
            return USUAL;
        }
        int space = text.indexOf(' ');
        return new TerminalSize(
                Integer.parseInt(text.substring(0, space)), Integer.parseInt(text.substring(space + 1)));
    }
}
