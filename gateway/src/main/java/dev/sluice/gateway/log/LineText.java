package dev.sluice.gateway.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Text of others as one harmless line: a peer's characters must not forge a line or move a cursor. */
final class LineText {
    private LineText() {}

    /**
     * Replaces line feeds by {@code |} and everything else that does not show by {@code ?}: control characters, those
     * that reverse the direction of text, and halves of characters.
     */
    static String of(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            if (character == '\n') {
                line.append(" | ");
            } else if (character != '\r') {
                line.appendCodePoint(isVisible(character) ? character : '?');
            }
        });
        return line.toString();
    }

    /** The same for a form that escapes control characters of ASCII: those stay. */
    static String escapable(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints()
                .forEach(character -> line.appendCodePoint(character < ' ' || isVisible(character) ? character : '?'));
        return line.toString();
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** Returns text in UTF-8, without what exceeds a number of bytes; no character is cut in half. */
    static byte[] utf8(String text, int most) {
        byte[] all = text.getBytes(UTF_8);
        if (all.length <= most) {
            return all;
        }
        int end = most;
        while (end > 0 && isContinuation(all[end])) {
            end--;
        }
        return Arrays.copyOf(all, end);
    }

    private static boolean isContinuation(byte of) {
        return (of & 0xC0) == 0x80;
    }
}
