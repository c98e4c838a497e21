package dev.sluice.gateway;

import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.TlsFailure.Fault;

/**
 * Why a client connection ended.
 *
 * @param fault who is to blame; for {@link #COMPLETED} nobody, and it is not logged
 * @param reason a short stable name in lower_snake_case for metrics
 * @param message value, cause and remedy, for people
 */
record SessionEnd(Fault fault, String reason, String message) {
    /** Both directions ended cleanly. */
    static final SessionEnd COMPLETED = new SessionEnd(Fault.PEER_MISBEHAVED, "completed", "");

    /** The gateway closed before the connection ended. */
    static final SessionEnd GATEWAY_CLOSED = new SessionEnd(
            Fault.OURS, "gateway_closed", "the gateway stopped before the connection ended; give drain more time");

    /** The handshake did not succeed. */
    static SessionEnd handshake(ConnectionFailure failure) {
        return new SessionEnd(failure.fault(), "handshake_" + failure.reason(), failure.message());
    }

    /** The client's connection broke after the handshake. */
    static SessionEnd client(ConnectionFailure failure) {
        return new SessionEnd(failure.fault(), "client_" + failure.reason(), failure.message());
    }

    /** The backend's connection broke, or could not be had. */
    static SessionEnd backend(String backend, ConnectionFailure failure) {
        return new SessionEnd(
                Fault.ENVIRONMENT, "backend_" + failure.reason(), "backend " + backend + ": " + failure.message());
    }

    /** Whether all went well. */
    boolean isClean() {
        return reason.equals(COMPLETED.reason);
    }
}
