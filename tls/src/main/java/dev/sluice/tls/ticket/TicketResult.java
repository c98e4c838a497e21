package dev.sluice.tls.ticket;

import java.util.Locale;

/** The result of the ticket that a client offered; of several the best counts. */
public enum TicketResult {
    /** No ticket, or it was not examined. */
    NONE,
    /** Its key is unknown. */
    UNKNOWN,
    /** Its key has expired. */
    EXPIRED,
    /** Its key no longer seals, or does not seal yet. */
    PREVIOUS,
    /** Its key is the current one. */
    CURRENT;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the label in logs and metrics, such as {@code current}. */
    public String label() {
        return label;
    }
}
