package dev.sluice.cli.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Lines at the bottom of a terminal that are repainted in place. Confined to one thread at a time. */
public final class TerminalBlock {
    private static final String START_OF_LINE = "\r";
    private static final String ERASE_BELOW = "\u001b[J";
    private static final String ERASE_TO_END = "\u001b[K";
    /** The terminal cuts what is too wide, where a character has another width than ours. */
    private static final String WRAP_OFF = "\u001b[?7l";

    private static final String WRAP_ON = "\u001b[?7h";

    private final PrintWriter terminal;
    private final List<Integer> painted = new ArrayList<>();

    /** Paints on a terminal, which stays the caller's. */
    public TerminalBlock(PrintWriter terminal) {
        this.terminal = terminal;
    }

    /**
     * Replaces the lines.
     *
     * @param lines without line feeds, narrower than the terminal
     * @param columns of the terminal now, which wraps what it showed when it has become narrower
     */
    public void paint(List<StyledLine> lines, int columns) {
        StringBuilder text = new StringBuilder(start(columns)).append(WRAP_OFF);
        painted.clear();
        for (StyledLine line : lines) {
            text.append(painted.isEmpty() ? "" : "\r\n").append(line.text()).append(ERASE_TO_END);
            painted.add(line.columns());
        }
        print(text.append(WRAP_ON).append(ERASE_BELOW).toString());
    }

    /** Removes the lines, so that others may be printed in their place. */
    public void erase(int columns) {
        if (!painted.isEmpty()) {
            print(start(columns) + ERASE_BELOW);
            painted.clear();
        }
    }

    /** Returns the way to the start of the first line. */
    private String start(int columns) {
        int rows = painted.stream()
                .mapToInt(each -> Math.max(1, (each - 1) / columns + 1))
                .sum();
        return START_OF_LINE + (rows > 1 ? "\u001b[" + (rows - 1) + "A" : "");
    }

    private void print(String text) {
        terminal.print(text);
        terminal.flush();
    }
}
