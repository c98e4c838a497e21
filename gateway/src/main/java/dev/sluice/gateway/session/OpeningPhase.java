package dev.sluice.gateway.session;

import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;

/** A phase before the handshake: the client costs a socket, and a buffer once its first bytes are there. */
sealed interface OpeningPhase extends SessionPhase permits ProxyHeaderPhase, IdentifiedPhase, PlainHttpPhase {
    /** Starts to receive, for a limited time. */
    void begin();

    @Override
    default void attach() {
        session().socket().handler(this);
    }

    @Override
    default void abort() {
        session().socket().abort();
    }

    /** Closes the connection of a client that ends its side before the handshake. */
    @Override
    default void onEndOfStream(Connection connection) {
        session().close(SessionEnd.CLOSED_BEFORE_HANDSHAKE, connection);
    }

    @Override
    default void onFailed(Connection connection, ConnectionFailure failure) {
        session().endWith(SessionEnd.handshake(failure));
    }
}
