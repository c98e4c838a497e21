package dev.sluice.gateway.outcome;

import dev.sluice.config.yaml.Quantities;
import dev.sluice.gateway.proxyprotocol.ProxyProtocolException;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import java.time.Duration;

/**
 * The end of a client connection.
 *
 * @param side the side that it came from
 * @param reason the reason, which is the rest of the label
 * @param message event, cause and remedy, for people
 */
public record SessionEnd(EndSide side, EndReason reason, String message) {
    /** Both directions ended cleanly; not logged. */
    public static final SessionEnd COMPLETED = new SessionEnd(EndReason.COMPLETED);

    /** A loop had no buffer left. */
    public static final SessionEnd NO_BUFFERS = new SessionEnd(EndReason.NO_BUFFERS);

    /** Closed without a reason that anybody gave. */
    public static final SessionEnd BROKEN = new SessionEnd(EndReason.BROKEN);

    /** The grace period of a drain was over. */
    public static final SessionEnd DRAIN_TIMEOUT = new SessionEnd(EndReason.DRAIN_TIMEOUT);

    /** The gateway was closed without waiting. */
    public static final SessionEnd GATEWAY_CLOSED = new SessionEnd(EndReason.GATEWAY_CLOSED);

    /** The client has ended without a byte. */
    public static final SessionEnd CLOSED_BEFORE_HANDSHAKE = new SessionEnd(
            EndSide.HANDSHAKE, EndReason.CLOSED_BEFORE_HANDSHAKE, EndReason.CLOSED_BEFORE_HANDSHAKE.describe());

    /** A PROXY header of somebody who is no proxy. */
    public static final SessionEnd UNTRUSTED_PROXY = new SessionEnd(EndReason.PROXY_HEADER_UNTRUSTED);

    /** An address that the listener does not serve. */
    public static final SessionEnd ADDRESS_DENIED = new SessionEnd(EndReason.ADDRESS_DENIED);

    private SessionEnd(EndReason reason) {
        this(EndSide.GATEWAY, reason, reason.describe());
    }

    /** Makes an end that the gateway decides on. */
    public static SessionEnd of(EndReason reason, String cause) {
        return new SessionEnd(EndSide.GATEWAY, reason, reason.describe(cause));
    }

    /** Makes the end of a proxy's connection without a valid header. */
    public static SessionEnd malformedHeader(ProxyProtocolException malformed) {
        return of(EndReason.PROXY_HEADER_MALFORMED, String.valueOf(malformed.getMessage()));
    }

    /** Makes the end of a connection above the listener's limit. */
    public static SessionEnd listenerLimit(int connections) {
        return of(EndReason.LISTENER_LIMIT, Integer.toString(connections));
    }

    /** Makes the end of a client that has sent nothing. */
    public static SessionEnd silent(Duration limit) {
        return new SessionEnd(
                EndSide.HANDSHAKE,
                EndReason.HANDSHAKE_TIMEOUT,
                EndReason.HANDSHAKE_TIMEOUT.describe("not a byte in " + Quantities.text(limit)));
    }

    /** Makes the end of a client for whom there is no route. */
    public static SessionEnd noRoute(String serverName, String alpn) {
        return of(EndReason.NO_ROUTE, "server name \"" + serverName + "\", protocol \"" + alpn + "\"");
    }

    /** Makes the end of a connection on which nothing moved for too long. */
    public static SessionEnd idleTimeout(Duration limit) {
        return of(EndReason.IDLE_TIMEOUT, Quantities.text(limit));
    }

    /** Makes the end of a handshake that failed. */
    public static SessionEnd handshake(ConnectionFailure failure) {
        return new SessionEnd(EndSide.HANDSHAKE, failure.reason(), failure.message());
    }

    /** Makes the end of a client's connection that broke after the handshake. */
    public static SessionEnd client(ConnectionFailure failure) {
        return new SessionEnd(EndSide.CLIENT, failure.reason(), failure.message());
    }

    /**
     * Makes the end of a session whose backend failed.
     *
     * @param side {@link EndSide#BACKEND} or {@link EndSide#BACKEND_HANDSHAKE}
     */
    public static SessionEnd backend(String backend, EndSide side, ConnectionFailure failure) {
        return new SessionEnd(side, failure.reason(), "backend " + backend + ": " + failure.message());
    }

    /** Returns the stable name in metrics and logs. */
    public String label() {
        return side.label(reason);
    }

    /** Returns the party to blame. */
    public Fault fault() {
        return side.fault(reason);
    }

    /** True when all went well. */
    public boolean isClean() {
        return switch (reason) {
            case COMPLETED, REDIRECTED, CHALLENGE_ANSWERED -> true;
            default -> false;
        };
    }
}
