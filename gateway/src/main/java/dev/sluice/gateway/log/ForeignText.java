package dev.sluice.gateway.log;

import java.util.regex.Pattern;

/** The texts of servers, programs and libraries as parts of messages. Stateless. */
public final class ForeignText {
    /** The length to which a text is cut, so that the cause and the remedy around it can be read. */
    public static final int CHARS_MAX = 400;

    /** Characters that would break a line, or cannot be written. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\s]+");

    private ForeignText() {}

    /** Returns a text on one line, whole. */
    public static String line(String text) {
        return UNPRINTABLE.matcher(text).replaceAll(" ").strip();
    }

    /** Returns a text on one line, cut to {@link #CHARS_MAX}. */
    public static String cut(String text) {
        String line = line(text);
        if (line.length() <= CHARS_MAX) {
            return line;
        }
        boolean isPair = Character.isHighSurrogate(line.charAt(CHARS_MAX - 1));
        return line.substring(0, isPair ? CHARS_MAX - 1 : CHARS_MAX) + "…";
    }
}
