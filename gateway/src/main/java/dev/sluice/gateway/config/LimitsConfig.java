package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * Bounds on time, connections and memory.
 *
 * @param handshakeTimeout from accept to the end of the TLS handshake
 * @param idleTimeout longest time without a byte in either direction; zero: no limit
 * @param connections client connections at once; 0: derived from the descriptor limit
 * @param connectionsPerAddress client connections at once from one IP address, IPv6 by /64; 0: no limit
 * @param heldBytes most bytes that a connection may hold per direction before its source is stopped; what was under way
 *     then may come on top, see {@link dev.sluice.net.EventLoopConfig#maxLateBuffers()}
 * @param handshakes how many handshakes, and how fast
 */
public record LimitsConfig(
        Duration handshakeTimeout,
        Duration idleTimeout,
        int connections,
        int connectionsPerAddress,
        long heldBytes,
        HandshakeLimits handshakes) {
    /** Most bytes held per connection and direction unless configured: 128 KiB. */
    public static final long DEFAULT_HELD_BYTES = 128 * 1024;

    /** The least that may be configured: one full TLS record. */
    public static final long HELD_BYTES_MIN = 16 * 1024;

    /** The most that may be configured: 64 MiB. */
    public static final long HELD_BYTES_MAX = 64L * 1024 * 1024;

    /** 5 s for a handshake, 10 min idle, connections by the descriptor limit, 128 KiB held. */
    public static final LimitsConfig DEFAULT = new LimitsConfig(
            Duration.ofSeconds(5), Duration.ofMinutes(10), 0, 0, DEFAULT_HELD_BYTES, HandshakeLimits.DEFAULT);

    /** The same with another time for handshakes. */
    public LimitsConfig withHandshakeTimeout(Duration timeout) {
        return new LimitsConfig(timeout, idleTimeout, connections, connectionsPerAddress, heldBytes, handshakes);
    }

    /** The same with another idle time. */
    public LimitsConfig withIdleTimeout(Duration timeout) {
        return new LimitsConfig(handshakeTimeout, timeout, connections, connectionsPerAddress, heldBytes, handshakes);
    }

    /** The same with another number of connections. */
    public LimitsConfig withConnections(int most) {
        return new LimitsConfig(handshakeTimeout, idleTimeout, most, connectionsPerAddress, heldBytes, handshakes);
    }

    /** The same with another number of connections from one address. */
    public LimitsConfig withConnectionsPerAddress(int most) {
        return new LimitsConfig(handshakeTimeout, idleTimeout, connections, most, heldBytes, handshakes);
    }

    /** The same with another bound on held bytes. */
    public LimitsConfig withHeldBytes(long bytes) {
        return new LimitsConfig(handshakeTimeout, idleTimeout, connections, connectionsPerAddress, bytes, handshakes);
    }

    /** The same with other bounds on handshakes. */
    public LimitsConfig withHandshakes(HandshakeLimits limits) {
        return new LimitsConfig(handshakeTimeout, idleTimeout, connections, connectionsPerAddress, heldBytes, limits);
    }
}
