package dev.sluice.doctor.probe;

import java.time.Duration;

/**
 * The limits of an audit.
 *
 * @param connectionsPerSecond maximum new connections per second: a handful, so as not to look like an attack
 * @param connect from SYN to the established connection
 * @param step maximum wait for each of the server's messages
 * @param quiet silence after the handshake that marks the end of the tickets; the wait for the first one is {@value
 *     #QUIETS_TO_FIRST_TICKET} times as long
 * @param addresses maximum number of addresses to audit
 * @param responseBytes maximum bytes to read of a response
 */
public record DoctorLimits(
        int connectionsPerSecond, Duration connect, Duration step, Duration quiet, int addresses, int responseBytes) {
    private static final int QUIETS_TO_FIRST_TICKET = 5;

    /** The default limits. */
    public static final DoctorLimits DEFAULT =
            new DoctorLimits(5, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(400), 8, 256 * 1024);

    /** Returns the maximum wait for the first ticket. */
    public Duration firstTicket() {
        return quiet.multipliedBy(QUIETS_TO_FIRST_TICKET);
    }

    /** Returns the same limits with another number of connections per second. */
    public DoctorLimits withConnectionsPerSecond(int count) {
        return new DoctorLimits(count, connect, step, quiet, addresses, responseBytes);
    }

    /** Returns the same limits with another wait for each message. */
    public DoctorLimits withStep(Duration wait) {
        return new DoctorLimits(connectionsPerSecond, wait, wait, quiet, addresses, responseBytes);
    }

    /** Returns the same limits with another wait for tickets. */
    public DoctorLimits withQuiet(Duration wait) {
        return new DoctorLimits(connectionsPerSecond, connect, step, wait, addresses, responseBytes);
    }
}
