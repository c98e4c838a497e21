package dev.sluice.gateway.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of an answer that a health check by HTTP reads: its first line up to the last digit of the status, such as
 * {@code HTTP/1.1 200}. For one answer.
 */
final class StatusLine {
    static final int BYTES = 12;

    private static final int STATUS_AT = 9;
    private static final Pattern HTTP_1 = Pattern.compile("HTTP/1\\.[0-9] [1-9][0-9]{2}");

    private final StringBuilder text = new StringBuilder(BYTES);

    /** Returns how many of the bytes that come next belong to it. */
    int missing() {
        return BYTES - text.length();
    }

    /** Takes the bytes that come next, {@link #missing()} at most. */
    void take(byte[] bytes) {
        text.append(new String(bytes, ISO_8859_1));
    }

    /** Returns how a complete line shows that the server is not well, null when it is. */
    @Nullable
    String problem() {
        if (!HTTP_1.matcher(text).matches()) {
            return "something that is not HTTP/1";
        }
        char kind = text.charAt(STATUS_AT);
        return kind == '2' || kind == '3' ? null : text.substring(STATUS_AT);
    }
}
