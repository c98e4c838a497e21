package dev.sluice.config.model;

import java.time.Duration;

/**
 * Bounds on time, connections and memory.
 *
 * @param handshakeTimeout the time from accept to the end of the TLS handshake
 * @param idleTimeout the longest time without a byte in either direction; zero: no limit
 * @param connections the maximum number of client connections; 0: derived from the descriptor limit
 * @param connectionsPerAddress the maximum number of client connections from one IP address, IPv6 by /64; 0: no limit
 * @param heldBytes the bytes that a connection may hold per direction before reading stops; bytes in flight may come on
 *     top, see {@code maxLateBuffers} of the event loop
 * @param handshakes the bounds on handshakes
 */
public record LimitsConfig(
        Duration handshakeTimeout,
        Duration idleTimeout,
        int connections,
        int connectionsPerAddress,
        long heldBytes,
        HandshakeLimits handshakes) {
    /** The default of held bytes per connection and direction: 128 KiB. */
    public static final long DEFAULT_HELD_BYTES = 128 * 1024;

    /** The lower bound of held bytes: one full TLS record. */
    public static final long HELD_BYTES_MIN = 16 * 1024;

    /** 5 s for a handshake, 10 min idle, connections by the descriptor limit, 128 KiB held. */
    public static final LimitsConfig DEFAULT = new LimitsConfig(
            Duration.ofSeconds(5), Duration.ofMinutes(10), 0, 0, DEFAULT_HELD_BYTES, HandshakeLimits.DEFAULT);

    /** Returns a copy with another maximum number of connections. */
    public LimitsConfig withConnections(int most) {
        return new LimitsConfig(handshakeTimeout, idleTimeout, most, connectionsPerAddress, heldBytes, handshakes);
    }
}
