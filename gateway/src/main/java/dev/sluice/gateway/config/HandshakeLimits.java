package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * Bounds on handshakes, for times when more clients come than can be served.
 *
 * @param inFlight handshakes at once, from the moment they begin; each holds some 60 KiB
 * @param perSecond full handshakes that begin per second; 0: as many as the processors can do
 * @param perAddressPerSecond handshakes per second from one IP address, IPv6 by /64; 0: no limit
 * @param queue clients per event loop that may wait for their handshake to begin
 * @param longestWait longest time that they may wait
 */
public record HandshakeLimits(int inFlight, int perSecond, int perAddressPerSecond, int queue, Duration longestWait) {
    /** The most that may be configured for {@link #queue}: each waits in a receive buffer, of which a loop has 4096. */
    public static final int QUEUE_MAX = 1024;

    /** 10,000 in flight, 1024 waiting for two seconds at most, no limit per second. */
    public static final HandshakeLimits DEFAULT = new HandshakeLimits(10_000, 0, 0, QUEUE_MAX, Duration.ofSeconds(2));

    /** The same with another number in flight. */
    public HandshakeLimits withInFlight(int most) {
        return new HandshakeLimits(most, perSecond, perAddressPerSecond, queue, longestWait);
    }

    /** The same with another number of full ones per second. */
    public HandshakeLimits withPerSecond(int most) {
        return new HandshakeLimits(inFlight, most, perAddressPerSecond, queue, longestWait);
    }

    /** The same with another number per second from one address. */
    public HandshakeLimits withPerAddressPerSecond(int most) {
        return new HandshakeLimits(inFlight, perSecond, most, queue, longestWait);
    }

    /** The same with another queue. */
    public HandshakeLimits withQueue(int most, Duration longest) {
        return new HandshakeLimits(inFlight, perSecond, perAddressPerSecond, most, longest);
    }
}
