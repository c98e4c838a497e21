package dev.sluice.cli.command;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A terminal in memory: as much of ECMA-48 as a {@link TerminalBlock} uses, and lines that wrap. */
public final class Screen extends Writer {
    private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[(\\??[0-9;]*)([A-Za-z])");

    private int columns;
    private final List<StringBuilder> rows = new ArrayList<>();
    private int row;
    private int column;
    private boolean wrap = true;
    private int styled;

    /** Creates an empty terminal that is high enough for all. */
    public Screen(int columns) {
        this.columns = columns;
    }

    /** Returns a writer to the terminal. */
    public PrintWriter writer() {
        return new PrintWriter(this, true);
    }

    /** Returns the rows as somebody sees them, without the blanks at their ends. */
    public List<String> rows() {
        List<String> seen =
                rows.stream().map(each -> each.toString().stripTrailing()).toList();
        int last = seen.size();
        while (last > 0 && seen.get(last - 1).isEmpty()) {
            last--;
        }
        return seen.subList(0, last);
    }

    /** Becomes narrower, and wraps what it shows as terminals do; the cursor stays behind the last character. */
    public void narrow(int newColumns) {
        List<StringBuilder> before = List.copyOf(rows);
        rows.clear();
        columns = newColumns;
        wrap = true;
        row = -1;
        for (StringBuilder line : before) {
            row++;
            column = 0;
            at(row);
            line.toString().stripTrailing().chars().forEach(each -> put((char) each));
        }
    }

    /** Returns the number of sequences that change the style. */
    public int styled() {
        return styled;
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
        String text = new String(buffer, offset, length);
        Matcher sequence = SEQUENCE.matcher(text);
        for (int i = 0; i < text.length(); ) {
            if (sequence.find(i) && sequence.start() == i) {
                control(sequence.group(1), sequence.group(2).charAt(0));
                i = sequence.end();
            } else {
                character(text.charAt(i));
                i++;
            }
        }
    }

    private void control(String argument, char function) {
        switch (function) {
            case 'A' -> row = Math.max(0, row - Integer.parseInt(argument));
            case 'K' -> at(row).setLength(Math.min(at(row).length(), column));
            case 'J' -> {
                at(row).setLength(Math.min(at(row).length(), column));
                rows.subList(row + 1, rows.size()).clear();
            }
            case 'h' -> wrap = true;
            case 'l' -> wrap = false;
            case 'm' -> styled++;
            default -> throw new IllegalArgumentException("sequence: " + argument + function);
        }
    }

    private void character(char each) {
        switch (each) {
            case '\r' -> column = 0;
            case '\n' -> {
                row++;
                column = 0;
                at(row);
            }
            default -> put(each);
        }
    }

    private void put(char each) {
        if (column == columns) {
            if (wrap) {
                row++;
                column = 0;
            } else {
                column--;
            }
        }
        StringBuilder line = at(row);
        while (line.length() <= column) {
            line.append(' ');
        }
        line.setCharAt(column, each);
        column++;
    }

    private StringBuilder at(int index) {
        while (rows.size() <= index) {
            rows.add(new StringBuilder());
        }
        return rows.get(index);
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        // It owns nothing.
    }
}
