package dev.sluice.config.model;

import java.time.Duration;

/**
 * The ejection of servers that accept no connections.
 *
 * @param after the number of consecutive connects that must fail, over all loops
 * @param time the first ejection time, doubled each time that the server fails again at once
 * @param longest the longest ejection time
 */
public record EjectConfig(int after, Duration time, Duration longest) {
    /** Three connects in a row, ten seconds, up to a minute. */
    public static final EjectConfig DEFAULT = new EjectConfig(3, Duration.ofSeconds(10), Duration.ofMinutes(1));
}
