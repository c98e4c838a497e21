package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * How session tickets are sealed.
 *
 * @param rotate how long a key seals tickets
 * @param keep how long a ticket can be used, whenever it was made
 * @param store where the keys come from
 * @param sharing with what other kind of server sessions are shared
 */
public record TicketConfig(Duration rotate, Duration keep, TicketStoreConfig store, SessionSharing sharing) {
    /** Unless configured: a new key every 12 hours, and tickets for a day, the most that scanners call forward secret. */
    public static final TicketConfig DEFAULT = new TicketConfig(Duration.ofHours(12), Duration.ofHours(24));

    /** With keys in memory. */
    public TicketConfig(Duration rotate, Duration keep) {
        this(rotate, keep, TicketStoreConfig.IN_MEMORY, SessionSharing.NONE);
    }
}
