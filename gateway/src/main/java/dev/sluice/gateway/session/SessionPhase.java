package dev.sluice.gateway.session;

import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;

/**
 * One phase of a {@link Session}: the handler of the client's connection, and the owner of what only this phase needs.
 * Confined to the session's loop.
 *
 * <p>A phase names its successor: it makes it, calls {@link Session#enter} and starts it. By then it has given back, or
 * given its successor, all that it held, and nothing refers to it any more. The phase that is current when the last
 * connection has closed calls {@link Session#over}, once.
 *
 * <p>The defaults are those of a phase that receives nothing and waits for the client's connection alone.
 */
sealed interface SessionPhase extends ConnectionHandler
        permits OpeningPhase, HandshakePhase, FirstDataPhase, ConnectPhase, RelayPhase, ClosingPhase {
    /** Returns the session that this is a phase of. */
    Session session();

    /** Becomes the handler of the client's connection, and of the backend's where the phase has one. */
    void attach();

    /** Aborts the connections. The session knows why, and hears of their end. */
    void abort();

    /**
     * Gives back what the phase holds. Called at most once: when the session is over, or waits only for the end of the
     * client's connection.
     *
     * @param end why the session ends
     */
    void release(SessionEnd end);

    /** Looks for an idle session, {@link GatewayLoop#SWEEPS_PER_IDLE_TIMEOUT} times per idle timeout. */
    default void onSweep() {}

    /** Goes on with a client whose handshake is complete. Called for the current phase. */
    default void onHandshakeComplete() {}

    /**
     * Ends what was begun ahead of a handshake that has failed. Called for the current phase; the client's end follows.
     */
    default void onHandshakeFailed() {}

    @Override
    default void onReceived(Connection connection, Slab buffer) {
        buffer.release();
        throw new IllegalStateException(
                "bytes delivered while receiving was off, client=" + session().peer());
    }

    /** Ignored: nothing waits for the bytes of the handshake. */
    @Override
    default void onSent(Connection connection) {}

    /** Ignored: while receiving is off, the end of the stream is reported again to the relay or not at all. */
    @Override
    default void onEndOfStream(Connection connection) {}

    @Override
    default void onFailed(Connection connection, ConnectionFailure failure) {
        session().endWith(SessionEnd.client(failure));
    }

    @Override
    default void onClosed(Connection connection) {
        session().over();
    }
}
