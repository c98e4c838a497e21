package dev.sluice.gateway.config;

import dev.sluice.tls.TicketKeyRing;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code tickets}: on, off, or a section. */
final class TicketReader {
    private static final List<String> KEYS = List.of("rotate", "keep");
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration ROTATE_MAX = Duration.ofDays(7);
    /** RFC 8446 section 4.6.1: no client may use a ticket for longer. */
    private static final Duration KEEP_MAX = Duration.ofDays(7);

    private TicketReader() {}

    /** Null: no tickets. */
    static @Nullable TicketConfig read(@Nullable Value value) {
        if (value == null) {
            return TicketConfig.DEFAULT;
        }
        if (!value.isSection()) {
            return value.onOff(true) ? TicketConfig.DEFAULT : null;
        }
        Section section = value.section(KEYS);
        if (section == null) {
            return TicketConfig.DEFAULT;
        }
        Duration rotate = section.duration("rotate", LEAST, ROTATE_MAX, TicketConfig.DEFAULT.rotate());
        Duration keep = section.duration("keep", LEAST, KEEP_MAX, TicketConfig.DEFAULT.keep());
        if (keep.dividedBy(rotate) > TicketKeyRing.MAX_KEYS - 4) {
            value.problem("tickets that are kept for " + keep.toSeconds() + "s with keys that rotate every "
                    + rotate.toSeconds() + "s take more than " + TicketKeyRing.MAX_KEYS
                    + " keys; rotate more slowly or keep them for less");
            return TicketConfig.DEFAULT;
        }
        return new TicketConfig(rotate, keep);
    }
}
