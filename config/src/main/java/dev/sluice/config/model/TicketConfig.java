package dev.sluice.config.model;

import dev.sluice.tls.context.ServerContextBuilder;
import java.time.Duration;

/**
 * The rules for session tickets.
 *
 * @param rotate the time for which a key seals tickets
 * @param keep the minimum lifetime of a ticket
 * @param store the source of the ticket keys
 * @param sharing the other servers that sessions are shared with
 * @param count the number of tickets after a full TLS 1.3 handshake; after a resumed one, and with TLS 1.2, it is one
 */
public record TicketConfig(Duration rotate, Duration keep, TicketStoreConfig store, SessionSharing sharing, int count) {
    /** The upper bound of {@link #count}. */
    public static final int COUNT_MAX = 16;

    /** A new key every 12 hours, and tickets for a day, the longest lifetime that scanners call forward secret. */
    public static final TicketConfig DEFAULT = new TicketConfig(Duration.ofHours(12), Duration.ofHours(24));

    /** Creates rules with keys in memory. */
    public TicketConfig(Duration rotate, Duration keep) {
        this(rotate, keep, TicketStoreConfig.IN_MEMORY, SessionSharing.NONE);
    }

    /** Creates rules with the default number of tickets. */
    public TicketConfig(Duration rotate, Duration keep, TicketStoreConfig store, SessionSharing sharing) {
        this(rotate, keep, store, sharing, ServerContextBuilder.DEFAULT_TICKETS);
    }
}
