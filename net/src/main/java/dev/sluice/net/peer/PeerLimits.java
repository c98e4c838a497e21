package dev.sluice.net.peer;

import dev.sluice.net.BufferGeometry;
import java.time.Duration;

/**
 * The deadlines and limits of each connection. A deadline of zero never expires.
 *
 * @param handshakeDeadline the time that a handshake may take, at least a millisecond
 * @param idleDeadline the time without a byte in either direction, after which the connection is closed
 * @param writeDeadline the time in which a peer takes nothing although more than the high-water mark is queued, after
 *     which the connection is aborted
 * @param keepAlive the silence after which the kernel asks whether the peer is still there; zero for never
 * @param highWaterBytes the queued bytes above which a peer is not writable
 * @param queuedBytesMax the queued bytes that no write may exceed
 * @param backPressure the reaction to a peer that is not writable
 */
public record PeerLimits(
        Duration handshakeDeadline,
        Duration idleDeadline,
        Duration writeDeadline,
        Duration keepAlive,
        long highWaterBytes,
        long queuedBytesMax,
        BackPressure backPressure) {
    /** The default of {@link #highWaterBytes}. */
    public static final long HIGH_WATER_BYTES = 256 * 1024;

    /** The default of {@link #queuedBytesMax}. */
    public static final long QUEUED_BYTES_MAX = 4 * 1024 * 1024;

    /** Checks the figures. */
    public PeerLimits {
        if (handshakeDeadline.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "handshakeDeadline=" + handshakeDeadline + " is too short; use at least PT0.001S");
        }
        requireNotNegative("idleDeadline", idleDeadline);
        requireNotNegative("writeDeadline", writeDeadline);
        requireNotNegative("keepAlive", keepAlive);
        if (highWaterBytes < 1 || queuedBytesMax - highWaterBytes < BufferGeometry.PAYLOAD) {
            throw new IllegalArgumentException("highWaterBytes=" + highWaterBytes + ", queuedBytesMax="
                    + queuedBytesMax + " do not fit; highWaterBytes is at least 1, and queuedBytesMax at least a record"
                    + " (" + BufferGeometry.PAYLOAD + ") more");
        }
    }

    private static void requireNotNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + "=" + value + " is negative; zero disables it");
        }
    }
}
