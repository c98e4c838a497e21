package dev.sluice.gateway.backend;

import static dev.sluice.testkit.FuzzProperty.check;
import static dev.sluice.testkit.FuzzProperty.checkInPieces;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of what servers answer to health checks: a server is well if, and only if, it begins with a status line of
 * HTTP/1 with 2xx or 3xx, however its bytes come; and what is reported of others fits into a line.
 *
 * <p>Input: the received bytes.
 */
public final class HealthStatusFuzzer {
    private static final Pattern WELL = Pattern.compile("HTTP/1\\.[0-9] [23][0-9][0-9].*", Pattern.DOTALL);
    private static final Pattern WORDS = Pattern.compile("[ -~]+");

    private HealthStatusFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        checkInPieces(bytes, HealthStatusFuzzer::read);
        if (bytes.length >= StatusLine.BYTES) {
            String problem = read(bytes, bytes.length);
            boolean well = WELL.matcher(new String(bytes, ISO_8859_1)).matches();
            check(well == problem.equals("well"), problem);
        }
    }

    private static String read(byte[] bytes, int pieceBytes) {
        StatusLine line = new StatusLine();
        int next = 0;
        while (next < bytes.length && line.missing() > 0) {
            int count = Math.min(Math.min(pieceBytes, bytes.length - next), line.missing());
            line.take(Arrays.copyOfRange(bytes, next, next + count));
            next += count;
        }
        if (line.missing() > 0) {
            check(next == bytes.length, "more bytes are missing");
            return "missing " + line.missing();
        }
        @Nullable String problem = line.problem();
        check(problem == null || WORDS.matcher(problem).matches(), "reported as " + problem);
        return problem == null ? "well" : problem;
    }
}
