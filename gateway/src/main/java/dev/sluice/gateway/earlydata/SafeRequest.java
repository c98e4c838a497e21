package dev.sluice.gateway.earlydata;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.1 request that may be served before its client has proven to be there, since it asks for
 * nothing to be changed (RFC 9110 section 9.2.1), and says so to the backend: {@code Early-Data: 1} (RFC 8470 section
 * 5.1).
 *
 * <p>A request that is not plainly such a one is none: another method, a body, an upgrade to another protocol, a
 * spelling that two parsers might read in two ways. It waits, and that costs it a round trip.
 *
 * @param marked what is to be sent in its place, one byte per character
 */
public record SafeRequest(String marked) {
    private static final Pattern REQUEST_LINE = Pattern.compile("(GET|HEAD|OPTIONS|TRACE) [!-~]+ HTTP/1\\.[01]");
    private static final Pattern FIELD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t -~\\x80-\\xFF]*");
    private static final Set<String> MORE_THAN_A_HEAD =
            Set.of("content-length", "transfer-encoding", "upgrade", "expect", "http2-settings");
    private static final String NAME = "early-data";
    private static final String FIELD_TO_ADD = "Early-Data: 1";
    private static final String NEW_LINE = "\r\n";

    /** The bytes that end a head: the end of its last line, and an empty one. */
    static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** The length of {@code END}. */
    public static final int END_BYTES = 4;

    /**
     * Reads a head.
     *
     * @param head as it came, one byte per character, with the empty line at its end
     * @return null when it has to wait
     */
    public static @Nullable SafeRequest of(String head) {
        String[] lines = head.substring(0, head.length() - END.length).split(NEW_LINE, -1);
        if (!REQUEST_LINE.matcher(lines[0]).matches()) {
            return null;
        }
        boolean marked = false;
        for (int i = 1; i < lines.length; i++) {
            if (!FIELD.matcher(lines[i]).matches()) {
                return null;
            }
            String name = lines[i].substring(0, lines[i].indexOf(':')).toLowerCase(Locale.ROOT);
            if (MORE_THAN_A_HEAD.contains(name)) {
                return null;
            }
            marked |= name.equals(NAME);
        }
        // Who has marked it before us may not be contradicted, and need not be repeated: any value means 1.
        return new SafeRequest(marked ? head : lines[0] + NEW_LINE + FIELD_TO_ADD + head.substring(lines[0].length()));
    }
}
