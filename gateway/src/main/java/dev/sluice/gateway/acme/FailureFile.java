package dev.sluice.gateway.acme;

import dev.sluice.gateway.log.ForeignText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The failed attempts at one certificate, in a file, so that a restart does not begin to hammer a server. Immutable.
 *
 * @param order whose attempts they were: those at another one, of the same name, say nothing
 * @param count attempts in a row
 * @param next the time of the next
 * @param error why the last one failed
 */
record FailureFile(String order, int count, Instant next, String error) {
    private static final String ORDER = "order";
    private static final String COUNT = "failures";
    static final String NEXT = "next";
    private static final String ERROR = "error";
    private static final int COUNT_MAX = 1_000_000;

    /** Reads a file; null when there is none, or nothing of use in it, or another order's failures. */
    static @Nullable FailureFile read(Path file, String order) {
        try {
            PemText text = StateFiles.read(file);
            if (text == null) {
                return null;
            }
            int count = Integer.parseInt(text.line(COUNT));
            return count < 1 || count > COUNT_MAX || !text.line(ORDER).equals(order)
                    ? null
                    : new FailureFile(order, count, Instant.parse(text.line(NEXT)), text.line(ERROR));
        } catch (IOException | NumberFormatException | DateTimeParseException unusable) {
            return null;
        }
    }

    /** Writes it. */
    void write(Path file) throws IOException {
        StateFiles.write(
                file,
                new PemText.Builder()
                        .line(ORDER, order)
                        .line(COUNT, Integer.toString(count))
                        .line(NEXT, next.toString())
                        .line(ERROR, ForeignText.line(error))
                        .build());
    }

    /** Removes the file, if there is one. */
    static void remove(Path file) throws IOException {
        Files.deleteIfExists(file);
    }
}
