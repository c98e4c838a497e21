package dev.sluice.bench.harness;

import java.util.ArrayList;
import java.util.List;

/** Rows of text under column titles, aligned for a terminal or as Markdown. The first column is left-aligned. */
public final class Table {
    private final List<String> titles;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Creates an instance.
     *
     * @param titles one per column
     */
    public Table(List<String> titles) {
        this.titles = List.copyOf(titles);
    }

    /** Adds a row. Missing cells at its end are empty. */
    public void row(List<String> cells) {
        if (cells.size() > titles.size()) {
            throw new IllegalArgumentException(
                    "more cells than columns, cells=" + cells.size() + ", columns=" + titles.size());
        }
        List<String> row = new ArrayList<>(cells);
        while (row.size() < titles.size()) {
            row.add("");
        }
        rows.add(row);
    }

    /** Returns the table aligned with spaces, one line per row. */
    public String text() {
        StringBuilder text = new StringBuilder();
        int[] widths = widths();
        appendAligned(text, titles, widths);
        rows.forEach(row -> appendAligned(text, row, widths));
        return text.toString();
    }

    /** Returns a Markdown table. */
    public String markdown() {
        StringBuilder text = new StringBuilder();
        appendPiped(text, titles);
        List<String> rule = new ArrayList<>();
        for (int column = 0; column < titles.size(); column++) {
            rule.add(column == 0 ? "---" : "---:");
        }
        appendPiped(text, rule);
        rows.forEach(row -> appendPiped(text, row));
        return text.toString();
    }

    private int[] widths() {
        int[] widths = new int[titles.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = titles.get(column).length();
            for (List<String> row : rows) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return widths;
    }

    private static void appendAligned(StringBuilder text, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String padding = " ".repeat(widths[column] - cells.get(column).length());
            line.append(column == 0 ? cells.get(column) + padding : "  " + padding + cells.get(column));
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static void appendPiped(StringBuilder text, List<String> cells) {
        text.append('|');
        cells.forEach(cell -> text.append(' ').append(cell.replace("|", "\\|")).append(" |"));
        text.append('\n');
    }
}
