package dev.sluice.cli.top;

import dev.sluice.cli.command.TerminalKey;
import dev.sluice.cli.command.TerminalSize;
import java.util.List;

/** The part of the lines that a terminal shows, and the last row, for trouble or for what the keys do. */
final class TopScreen {
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";

    private TerminalSize size;
    private List<String> lines = List.of();
    private int first;

    TopScreen(TerminalSize size) {
        this.size = size;
    }

    int columns() {
        return size.columns();
    }

    /** Sets the terminal's size. */
    void resize(TerminalSize now) {
        size = now;
        moveTo(first);
    }

    /** Replaces the lines, none wider than the terminal; the first one shown stays the same. */
    void lines(List<String> now) {
        lines = now;
        moveTo(first);
    }

    /** Moves by a key that moves. */
    void move(TerminalKey key) {
        moveTo(
                switch (key) {
                    case UP -> first - 1;
                    case DOWN -> first + 1;
                    case PAGE_UP -> first - rows();
                    case PAGE_DOWN -> first + rows();
                    case TOP -> 0;
                    case BOTTOM -> lines.size();
                    case QUIT -> first;
                });
    }

    private void moveTo(int line) {
        first = Math.max(0, Math.min(line, lines.size() - rows()));
    }

    private int rows() {
        return Math.max(1, size.rows() - 1);
    }

    /** Returns as many lines as there are rows. */
    String text(String trouble) {
        StringBuilder text = new StringBuilder(HOME);
        int end = Math.min(lines.size(), first + rows());
        lines.subList(first, end)
                .forEach(line -> text.append(line).append(CLEAR_LINE).append("\r\n"));
        boolean all = lines.size() <= rows();
        String keys = all
                ? "q: quit"
                : "lines " + (first + 1) + "-" + end + " of " + lines.size() + "; arrows, space and b: scroll; q: quit";
        String last = trouble.isEmpty() ? keys : trouble;
        String cut = last.length() < size.columns() ? last : last.substring(0, size.columns() - 1);
        text.append(trouble.isEmpty() ? DIM + cut + PLAIN : cut);
        return text.append(CLEAR_LINE).append(CLEAR_BELOW).toString();
    }
}
