package dev.sluice.gateway.acme;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The mark of a node on an entry of the fleet's document, which is over at a time of the store's clock.
 *
 * @param holder the node
 * @param until the end, unless the node renews it before
 */
record FleetClaim(String holder, Instant until) {
    private static final String HOLDER = "holder";
    private static final String UNTIL = "until";

    /** Returns the claim of an entry; null when there is no entry, or none that can be read. */
    static @Nullable FleetClaim of(@Nullable String text) {
        if (text == null) {
            return null;
        }
        PemText lines = new PemText(text);
        try {
            return new FleetClaim(lines.line(HOLDER), Instant.parse(lines.line(UNTIL)));
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }

    /** Returns true when an entry is nobody's at a time. */
    static boolean isFree(@Nullable String text, Instant time) {
        FleetClaim claim = of(text);
        return claim == null || !claim.until().isAfter(time);
    }

    boolean isOf(String node) {
        return holder.equals(node);
    }

    /** Returns the lines of an entry. */
    PemText.Builder lines() {
        return new PemText.Builder().line(HOLDER, holder).line(UNTIL, until.toString());
    }
}
