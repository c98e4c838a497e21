package dev.sluice.gateway.config;

import dev.sluice.tls.ServerContextBuilder;
import java.time.Duration;

/**
 * How session tickets are sealed.
 *
 * @param rotate how long a key seals tickets
 * @param keep how long a ticket can be used, whenever it was made
 * @param store where the keys come from
 * @param sharing with what other kind of server sessions are shared
 * @param count how many tickets a client gets after a full handshake of TLS 1.3; after a resumed one, and with TLS 1.2, it
 *     is one
 */
public record TicketConfig(Duration rotate, Duration keep, TicketStoreConfig store, SessionSharing sharing, int count) {
    /** The most that may be configured. */
    public static final int COUNT_MAX = 16;

    /** Unless configured: a new key every 12 hours, and tickets for a day, the most that scanners call forward secret. */
    public static final TicketConfig DEFAULT = new TicketConfig(Duration.ofHours(12), Duration.ofHours(24));

    /** With keys in memory. */
    public TicketConfig(Duration rotate, Duration keep) {
        this(rotate, keep, TicketStoreConfig.IN_MEMORY, SessionSharing.NONE);
    }

    /** With as many tickets as TLS has by default. */
    public TicketConfig(Duration rotate, Duration keep, TicketStoreConfig store, SessionSharing sharing) {
        this(rotate, keep, store, sharing, ServerContextBuilder.DEFAULT_TICKETS);
    }

    /** The same with another number of tickets. */
    public TicketConfig withCount(int newCount) {
        return new TicketConfig(rotate, keep, store, sharing, newCount);
    }
}
