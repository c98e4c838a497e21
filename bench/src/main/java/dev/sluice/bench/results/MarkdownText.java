package dev.sluice.bench.results;

import dev.sluice.bench.harness.Table;
import java.util.List;
import java.util.regex.Pattern;

/** A Markdown text in the making: blocks with a blank line between them, prose wrapped at the width of documents. */
final class MarkdownText {
    private static final int WIDTH = 120;

    /** Words that begin a list, a heading, a quotation or a table where they begin a line. */
    private static final Pattern BLOCK_START = Pattern.compile("[-+*]|[-=]+|#{1,6}|[>|].*|\\d+[.)]");

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private final StringBuilder text = new StringBuilder();

    /** Adds a block as it is, without a blank line at its end. */
    void block(String block) {
        text.append(text.isEmpty() ? "" : "\n").append(block.strip()).append('\n');
    }

    /** Adds a paragraph. */
    void paragraph(String prose) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : SPACE.splitAsStream(prose.strip()).toList()) {
            boolean fits = column + 1 + word.length() <= WIDTH
                    || BLOCK_START.matcher(word).matches();
            if (column > 0) {
                wrapped.append(fits ? ' ' : '\n');
            }
            column = column > 0 && fits ? column + 1 + word.length() : word.length();
            wrapped.append(word);
        }
        block(wrapped.toString());
    }

    /** Adds a table. */
    void table(List<String> titles, Iterable<List<String>> rows) {
        Table table = new Table(titles);
        rows.forEach(table::row);
        block(table.markdown());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
