package dev.sluice.tls;

import java.util.Locale;

/** What became of the ticket that a client offered. Of several the best counts. */
public enum TicketResult {
    /** There was none, or nobody looked at it. */
    NONE,
    /** Nobody here knows its key. */
    UNKNOWN,
    /** Its key was ours and has expired. */
    EXPIRED,
    /** Its key is one that no longer seals, or does not seal yet. */
    PREVIOUS,
    /** Its key is the current one. */
    CURRENT;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** For logs and metrics, such as {@code current}. */
    public String label() {
        return label;
    }

    /** Whether we have the key, so that the session was looked at. */
    public boolean isKnown() {
        return this == PREVIOUS || this == CURRENT;
    }
}
