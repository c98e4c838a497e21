package dev.sluice.gateway.session;

import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;

/**
 * The part of a session that precedes its backend, and lives on until the client joins the relay: it holds the backend,
 * most often by the listener, and what the client has sent before.
 */
sealed interface Forerunner permits HandshakePhase, FirstDataPhase, PassthroughHello {
    /** Returns true while a handshake is under way. */
    boolean isUnderWay();

    /** Returns true when the client may join a relay. */
    boolean isComplete();

    /** Returns what is known of the client's TLS. */
    TlsFacts tlsFacts();

    /**
     * Takes bytes that were under way when receiving stopped.
     *
     * @param buffer this object's from now on
     */
    default void receivedBeforeRelay(Slab buffer) {
        buffer.release();
        throw new IllegalStateException("bytes delivered while receiving was off");
    }

    /** Notes that the client has ended its direction behind {@link #receivedBeforeRelay}. */
    default void endedBeforeRelay() {}

    /** Returns true when the client's end was reported, and will not be reported to the relay. */
    default boolean hasClientEnded() {
        return false;
    }

    /** Gives the backend what came early, before the client's own bytes, and lets go of what it holds. */
    void join(Connection backend);

    /** Forwards to a backend that is connected before {@link #isComplete}. */
    void forwardTo(Connection backend);

    /** Returns to the phase before, since no backend can be reached while {@link #isUnderWay}. */
    void returnWithoutBackend();

    /** Gives back what is held, since the session ends. */
    void release(SessionEnd end);
}
