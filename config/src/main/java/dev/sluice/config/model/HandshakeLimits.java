package dev.sluice.config.model;

import java.time.Duration;

/**
 * Bounds on handshakes, for storms of more clients than can be served.
 *
 * @param inFlight the maximum number of handshakes in flight; each holds some 60 KiB
 * @param perSecond the full handshakes that may start per second; 0: as many as the processors can do
 * @param perAddressPerSecond the handshakes per second from one IP address, IPv6 by /64; 0: no limit
 * @param queue the clients per event loop that may wait for their handshake to start
 * @param longestWait the longest such wait
 */
public record HandshakeLimits(int inFlight, int perSecond, int perAddressPerSecond, int queue, Duration longestWait) {
    /** The upper bound of {@link #queue}: each client waits in a receive buffer, of which a loop has 4096. */
    public static final int QUEUE_MAX = 1024;

    /** 10,000 in flight, 1024 waiting for two seconds at most, no limit per second. */
    public static final HandshakeLimits DEFAULT = new HandshakeLimits(10_000, 0, 0, QUEUE_MAX, Duration.ofSeconds(2));

    /** Returns a copy with another queue. */
    public HandshakeLimits withQueue(int most, Duration longest) {
        return new HandshakeLimits(inFlight, perSecond, perAddressPerSecond, most, longest);
    }
}
