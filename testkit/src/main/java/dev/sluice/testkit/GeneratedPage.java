package dev.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file under docs/ that is generated from code: a test compares it with what the code gives. With
 * {@code -Dsluice.docs.write=true} the test writes it instead.
 */
public final class GeneratedPage {
    private static final int COLUMNS_MAX = 120;
    private static final boolean WRITES = Boolean.getBoolean("sluice.docs.write");

    private GeneratedPage() {}

    /**
     * Compares a page with the text that is generated now, or writes it.
     *
     * @param page from the directory of a module, such as {@code ../docs/reasons.md}
     * @throws AssertionError when they differ; names the first line, and the remedy
     */
    public static void check(Path page, String generated) throws IOException {
        if (WRITES) {
            Files.writeString(page, generated);
            return;
        }
        String found = Files.readString(page);
        if (!found.equals(generated)) {
            throw new AssertionError(page + " is not what the code generates (first at line "
                    + firstDifference(found, generated) + "); run this test with -Dsluice.docs.write=true");
        }
    }

    /**
     * Wraps a paragraph or an item of a list at 120 columns.
     *
     * @param indent of all lines but the first
     */
    public static String wrap(String text, String indent) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > COLUMNS_MAX) {
                lines.append('\n').append(indent);
                column = indent.length();
            } else if (column > 0) {
                lines.append(' ');
                column++;
            }
            lines.append(word);
            column += word.length();
        }
        return lines.append('\n').toString();
    }

    private static long firstDifference(String found, String generated) {
        int at = 0;
        while (at < found.length() && at < generated.length() && found.charAt(at) == generated.charAt(at)) {
            at++;
        }
        return 1
                + found.substring(0, at)
                        .chars()
                        .filter(character -> character == '\n')
                        .count();
    }
}
