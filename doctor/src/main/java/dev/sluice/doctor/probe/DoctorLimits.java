package dev.sluice.doctor.probe;

import java.time.Duration;

/**
 * How far an audit goes.
 *
 * @param connectionsPerSecond most connections that begin in a second: a handful, so that nobody mistakes it for an attack
 * @param connect from SYN to the established connection
 * @param step longest wait for each of the server's messages
 * @param quiet how long a server must be silent, once its handshake is over, to have sent all tickets; for the first one it has
 *     {@value #QUIETS_TO_FIRST_TICKET} times as long
 * @param addresses most addresses of one name that are looked at
 * @param responseBytes most that is read of the response to a request
 */
public record DoctorLimits(
        int connectionsPerSecond, Duration connect, Duration step, Duration quiet, int addresses, int responseBytes) {
    private static final int QUIETS_TO_FIRST_TICKET = 5;

    /** What holds unless told otherwise. */
    public static final DoctorLimits DEFAULT =
            new DoctorLimits(5, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(400), 8, 256 * 1024);

    /** How long a server may take to send its first ticket. */
    public Duration firstTicket() {
        return quiet.multipliedBy(QUIETS_TO_FIRST_TICKET);
    }

    /** Another number of connections per second. */
    public DoctorLimits withConnectionsPerSecond(int count) {
        return new DoctorLimits(count, connect, step, quiet, addresses, responseBytes);
    }

    /** Another wait for each message. */
    public DoctorLimits withStep(Duration wait) {
        return new DoctorLimits(connectionsPerSecond, wait, wait, quiet, addresses, responseBytes);
    }

    /** Another wait for tickets. */
    public DoctorLimits withQuiet(Duration wait) {
        return new DoctorLimits(connectionsPerSecond, connect, step, wait, addresses, responseBytes);
    }
}
