package dev.sluice.gateway.earlydata;

import java.util.Locale;

/** What a {@link ReplayCheck} finds. All but one mean that early data is refused, and the handshake goes on. */
public enum ReplayVerdict {
    /** Never seen in the time in which it could be used. */
    FRESH,
    /** Seen before. */
    REPLAYED,
    /** The ticket was made by another node, or before the last restart: who knows what was seen there? */
    FOREIGN_TICKET,
    /** The check has begun so lately that something may have been seen by what ran here before. */
    STARTING,
    /** The system's clock was set back: what was too old before is not any more. */
    CLOCK_SET_BACK,
    /** No room to remember one more. */
    REGISTER_FULL;

    /** Its name for counters and the log, such as {@code register_full}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
