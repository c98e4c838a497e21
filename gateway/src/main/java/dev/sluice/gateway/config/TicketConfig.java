package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * How session tickets are sealed.
 *
 * @param rotate how long a key seals tickets
 * @param keep how long a ticket can be used, whenever it was made
 */
public record TicketConfig(Duration rotate, Duration keep) {
    /** Unless configured: a new key every 12 hours, and tickets for a day, the most that scanners call forward secret. */
    public static final TicketConfig DEFAULT = new TicketConfig(Duration.ofHours(12), Duration.ofHours(24));
}
