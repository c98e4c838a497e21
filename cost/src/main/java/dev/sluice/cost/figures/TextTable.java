package dev.sluice.cost.figures;

import java.util.ArrayList;
import java.util.List;

/** Rows of text under column titles, aligned for a terminal or as Markdown. The first column is left-aligned. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table with a title for each column. */
    public TextTable(String... titles) {
        rows.add(List.of(titles));
    }

    /** Adds a row with a cell for each column. */
    public void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException(cells.length + " cells for the columns " + rows.getFirst());
        }
        rows.add(List.of(cells));
    }

    /** Returns the table aligned with spaces, a line per row, each indented by two. */
    public String text() {
        int[] widths = widths();
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int column = 0; column < widths.length; column++) {
                String padding = " ".repeat(widths[column] - row.get(column).length());
                line.append(column == 0 ? row.get(column) + padding : "  " + padding + row.get(column));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** Returns a Markdown table. */
    public String markdown() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            if (i == 0) {
                text.append("| --- |")
                        .append(" ---: |".repeat(rows.getFirst().size() - 1))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private int[] widths() {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return widths;
    }
}
