package dev.sluice.cli.command;

import java.lang.Character.UnicodeScript;

/**
 * A line for a terminal.
 *
 * @param text with its style
 * @param columns that it takes
 */
public record StyledLine(String text, int columns) {
    /** The emphasis of a line. */
    public enum Style {
        /** The terminal's default. */
        NORMAL(""),
        /** The most important line. */
        BOLD("\u001b[1m"),
        /** Details. */
        DIM("\u001b[2m");

        private static final String RESET = "\u001b[0m";

        private final String sequence;

        Style(String sequence) {
            this.sequence = sequence;
        }
    }

    /** The use of styles. */
    public enum Styling {
        /** Styles are shown. */
        ANSI,
        /** Text alone, as the environment variable NO_COLOR demands. */
        PLAIN;

        /** Returns the user's choice; see no-color.org. */
        public static Styling ofEnvironment() {
            String choice = System.getenv("NO_COLOR");
            return choice == null || choice.isEmpty() ? ANSI : PLAIN;
        }

        /** Returns a line. */
        public StyledLine line(Style style, String text) {
            boolean plain = this == PLAIN || style == Style.NORMAL;
            return new StyledLine(plain ? text : style.sequence + text + Style.RESET, columnsOf(text));
        }
    }

    /** Returns the columns that a text takes. */
    public static int columnsOf(String text) {
        return text.codePoints().map(StyledLine::columnsOf).sum();
    }

    /** Returns the columns of a character: 0 for combining marks, 2 for ideographs and emoji. */
    private static int columnsOf(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        if (Character.isEmojiPresentation(codePoint)) {
            return 2;
        }
        return switch (UnicodeScript.of(codePoint)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL -> 2;
            default -> 1;
        };
    }

    /** Returns the end of a text that is too wide, such as {@code ~/one.jpg}. */
    public static String endOf(String text, int room) {
        int width = columnsOf(text);
        if (width <= room) {
            return text;
        }
        int from = 0;
        while (from < text.length() && width > room - 1) {
            int codePoint = text.codePointAt(from);
            width -= columnsOf(codePoint);
            from += Character.charCount(codePoint);
        }
        return room < 1 ? "" : "~" + text.substring(from);
    }
}
