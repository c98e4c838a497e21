package dev.sluice.gateway;

import dev.sluice.gateway.config.Quantities;
import dev.sluice.gateway.proxyprotocol.ProxyProtocolException;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.TlsFailure.Fault;
import java.time.Duration;

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

    /** There was no buffer to begin with. */
    static final SessionEnd NO_BUFFERS = new SessionEnd(
            Fault.ENVIRONMENT,
            "no_buffers",
            "all buffers of the loop are in use; lower limits.held-bytes or connections");

    /** Closed without a reason that anybody gave. */
    static final SessionEnd BROKEN = new SessionEnd(
            Fault.OURS, "broken", "the connection was closed by an error in the gateway; the log has its stack trace");

    /** The grace period of a drain was over. */
    static final SessionEnd DRAIN_TIMEOUT = new SessionEnd(
            Fault.PEER_MISBEHAVED, "drain_timeout", "still open when the grace period was over; give drain more time");

    /** The gateway was closed without waiting. */
    static final SessionEnd GATEWAY_CLOSED =
            new SessionEnd(Fault.PEER_MISBEHAVED, "gateway_closed", "still open when the gateway was closed");

    /** The client has ended without a byte. */
    static final SessionEnd CLOSED_BEFORE_HANDSHAKE = new SessionEnd(
            Fault.PEER_MISBEHAVED,
            "handshake_" + "closed_before_handshake",
            "the peer went away without a byte, as port scanners and health checks do");

    /** Somebody claims to connect for somebody else. */
    static final SessionEnd UNTRUSTED_PROXY = new SessionEnd(
            Fault.PEER_MISBEHAVED,
            "proxy_header_untrusted",
            "a PROXY header from an address that is not in the listener's proxy-protocol.from; add it, if it is a proxy's");

    /** A proxy does not say for whom it connects, or not so that it can be understood. */
    static SessionEnd malformedHeader(ProxyProtocolException malformed) {
        return new SessionEnd(Fault.PEER_MISBEHAVED, "proxy_header_malformed", String.valueOf(malformed.getMessage()));
    }

    /** The listener has as many connections as it may have. */
    static SessionEnd listenerLimit(int connections) {
        return new SessionEnd(
                Fault.ENVIRONMENT,
                "listener_limit",
                connections + " connections of this listener are open already (its key connections)");
    }

    /** The client has sent nothing. */
    static SessionEnd silent(Duration limit) {
        return new SessionEnd(
                Fault.PEER_MISBEHAVED,
                "handshake_timeout",
                "not a byte within " + Quantities.text(limit) + " (limits.handshake-timeout)");
    }

    /** No route matches what the client asked for. */
    static SessionEnd noRoute(String serverName, String alpn) {
        return new SessionEnd(
                Fault.PEER_INCOMPATIBLE,
                "no_route",
                "no route for server name \"" + serverName + "\" and protocol \"" + alpn
                        + "\"; add one without conditions to take the rest");
    }

    /** Nothing moved for too long. */
    static SessionEnd idleTimeout(Duration limit) {
        return new SessionEnd(
                Fault.PEER_MISBEHAVED,
                "idle_timeout",
                "no byte in either direction for " + Quantities.text(limit) + " (limits.idle-timeout)");
    }

    /** Not let in. */
    static SessionEnd refused(Admission.Verdict verdict, Admission admission) {
        return verdict == Admission.Verdict.TOO_MANY
                ? new SessionEnd(
                        Fault.ENVIRONMENT,
                        "connection_limit",
                        admission.connectionsMax() + " connections are open already; raise limits.connections and"
                                + " RLIMIT_NOFILE (ulimit -n)")
                : new SessionEnd(
                        Fault.PEER_MISBEHAVED,
                        "address_limit",
                        admission.perAddressMax() + " connections are open from this address already"
                                + " (limits.connections-per-address)");
    }

    /** The handshake did not succeed. */
    static SessionEnd handshake(ConnectionFailure failure) {
        String reason = failure.reason();
        return new SessionEnd(
                failure.fault(), reason.startsWith("handshake_") ? reason : "handshake_" + reason, failure.message());
    }

    /** The client's connection broke after the handshake. */
    static SessionEnd client(ConnectionFailure failure) {
        return new SessionEnd(failure.fault(), "client_" + failure.reason(), failure.message());
    }

    /** The backend's connection broke, or could not be had. */
    static SessionEnd backend(String backend, ConnectionFailure failure) {
        Fault fault = failure.fault() == Fault.OURS ? Fault.OURS : Fault.ENVIRONMENT;
        return new SessionEnd(fault, "backend_" + failure.reason(), "backend " + backend + ": " + failure.message());
    }

    /** Whether all went well. */
    boolean isClean() {
        return reason.equals(COMPLETED.reason);
    }
}
