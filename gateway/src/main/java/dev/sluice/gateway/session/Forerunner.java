package dev.sluice.gateway.session;

import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.net.Connection;

/**
 * The part of a session that precedes its backend, and lives on until the client joins the relay: it holds the listener
 * and what the client has sent before.
 */
sealed interface Forerunner permits HandshakePhase, PassthroughHello {
    /** Returns true while a handshake is under way. */
    boolean isUnderWay();

    /** Returns true when the client may join a relay. */
    boolean isComplete();

    /** Returns what is known of the client's TLS. */
    TlsFacts tlsFacts();

    /** Gives the backend what came early, before the client's own bytes, and lets go of the listener. */
    void join(Connection backend);

    /** Forwards to a backend that is connected before {@link #isComplete}. */
    void forwardTo(Connection backend);

    /** Returns to the phase before, since no backend can be reached while {@link #isUnderWay}. */
    void returnWithoutBackend();

    /** Gives back what is held, since the session ends. */
    void release(SessionEnd end);
}
