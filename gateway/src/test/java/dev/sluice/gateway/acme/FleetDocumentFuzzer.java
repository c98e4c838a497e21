package dev.sluice.gateway.acme;

import static dev.sluice.testkit.FuzzProperty.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;

/**
 * A fuzzer of what the nodes of a fleet share about their orders, and of the claims in it. It is read or refused by an
 * {@link IOException}, and is the same when it is written and read again.
 *
 * <p>Input: the opened document. The corpus was written by {@link FleetDocument} itself, and changed by hand.
 */
public final class FleetDocumentFuzzer {
    private static final int GENERATION_OFFSET = 13;
    private static final Instant TIME = Instant.parse("2026-11-26T12:00:00Z");

    private FleetDocumentFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        long generation = bytes.length < GENERATION_OFFSET + Long.BYTES
                ? 0
                : ByteBuffer.wrap(bytes).getLong(GENERATION_OFFSET);
        FleetDocument document;
        try {
            document = FleetDocument.decode(bytes, generation);
        } catch (IOException refused) {
            return;
        }
        check(refuses(bytes, generation + 1), "another generation is taken");
        same(document, generation);
        document.entries().forEach((name, text) -> {
            check(Objects.equals(document.get(name), text), "another text of " + name);
            claim(text);
        });
        FleetDocument changed = document.with("orders", "x");
        check("x".equals(changed.get("orders")), "a text that was not put");
        check(changed.with("orders", null).get("orders") == null, "a text that was not removed");
    }

    private static boolean refuses(byte[] bytes, long generation) {
        try {
            FleetDocument _ = FleetDocument.decode(bytes, generation);
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    private static void same(FleetDocument document, long generation) {
        try {
            byte[] written = document.encode(generation);
            check(FleetDocument.decode(written, generation).equals(document), "another document when written");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void claim(String text) {
        FleetClaim claim = FleetClaim.of(text);
        check(claim != null || FleetClaim.isFree(text, TIME), "no claim, and not free");
        if (claim != null) {
            FleetClaim again = FleetClaim.of(claim.lines().build());
            check(claim.equals(again), "another claim when written: " + claim + ", " + again);
        }
    }
}
