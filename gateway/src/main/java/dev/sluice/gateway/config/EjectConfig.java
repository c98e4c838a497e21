package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * When a server that takes no connections is passed over for a while.
 *
 * @param after how many connects in a row must fail, over all loops
 * @param time for how long; each time that it fails again at once, for twice as long
 * @param longest at most for how long
 */
public record EjectConfig(int after, Duration time, Duration longest) {
    /** Three in a row, for ten seconds, up to a minute. */
    public static final EjectConfig DEFAULT = new EjectConfig(3, Duration.ofSeconds(10), Duration.ofMinutes(1));
}
