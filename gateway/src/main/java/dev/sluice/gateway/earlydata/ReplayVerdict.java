package dev.sluice.gateway.earlydata;

import java.util.Locale;

/**
 * The result of a {@link ReplayCheck}. All but one mean that early data does not go ahead of the handshake, which goes
 * on.
 */
public enum ReplayVerdict {
    /** Never seen in the time in which it could be used. */
    FRESH,
    /** Seen before. */
    REPLAYED,
    /** The ticket was issued by another node, or before the last restart; what was seen there is unknown. */
    FOREIGN_TICKET,
    /** The check has begun so lately that something may have been seen by what ran here before. */
    STARTING,
    /** The system's clock was set back: what was too old before is not any more. */
    CLOCK_SET_BACK,
    /** No room to remember one more. */
    REGISTER_FULL,
    /** The store that all nodes share has not answered in time, or not at all. */
    STORE_SILENT,
    /** This node's clock is not that of what all nodes share. */
    CLOCK_DIFFERS;

    /** Its name for counters and the log, such as {@code register_full}. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
