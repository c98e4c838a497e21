package dev.sluice.gateway.earlydata;

import static dev.sluice.testkit.FuzzProperty.check;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A fuzzer of heads in early data. One that is safe asks by a safe method, has no body, no line that is no field and no
 * stray end of a line, and is sent on as it came but for the mark.
 *
 * <p>Input: the head, behind which its end is added. The corpus was written by hand, after what curl sends.
 */
public final class SafeRequestFuzzer {
    private static final List<String> METHODS = List.of("GET ", "HEAD ", "OPTIONS ", "TRACE ");
    private static final List<String> NO_FIELDS =
            List.of("content-length:", "transfer-encoding:", "upgrade:", "expect:", "http2-settings:");
    private static final String END = new String(SafeRequest.END, US_ASCII);
    private static final String MARK = "\r\nEarly-Data: 1";

    private SafeRequestFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        String head = new String(bytes, ISO_8859_1) + END;
        SafeRequest safe = SafeRequest.of(head);
        if (safe == null) {
            return;
        }
        check(METHODS.stream().anyMatch(head::startsWith), "an unsafe method");
        String content = head.substring(0, head.length() - END.length());
        List<String> lines = Arrays.asList(content.split("\r\n", -1));
        for (String line : lines) {
            check(line.chars().noneMatch(each -> each == '\r' || each == '\n' || each == 0), "a stray end of a line");
            check(!line.isEmpty() && line.charAt(0) > ' ', "an empty or folded line");
            check(NO_FIELDS.stream().noneMatch(line.toLowerCase(Locale.ROOT)::startsWith), "more than a head: " + line);
        }
        boolean marked =
                lines.stream().anyMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("early-data:"));
        String expected = marked
                ? head
                : lines.getFirst() + MARK + head.substring(lines.getFirst().length());
        check(safe.marked().equals(expected), "sent on otherwise: " + safe.marked());
        SafeRequest again = SafeRequest.of(safe.marked());
        check(again != null && again.marked().equals(safe.marked()), "marked twice, or no longer safe");
    }
}
