package dev.sluice.gateway.session;

import dev.sluice.gateway.backend.BackendConnector;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.backend.PoolServer;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.failure.EndReason;
import java.net.InetAddress;

/**
 * The phase in which a server of the backend is connected to; the client waits. Its successor is the
 * {@link RelayPhase}, without a server the {@link ClosingPhase}, or the {@link HandshakePhase} again if that is not
 * complete.
 */
final class ConnectPhase implements SessionPhase, BackendConnector.Outcome {
    private enum State {
        /** The connector has not been started, or could not be: the end of the client's connection is awaited. */
        NOT_STARTED,
        /** The outcome of the connector is awaited. */
        CONNECTING,
        /** Likewise, and the end of the client, whose handshake has failed. */
        HANDSHAKE_FAILED,
        /** The client's connection is closed: the outcome of the connector is awaited, and nothing else. */
        ABANDONED
    }

    private final Session session;
    private final Connection client;
    private final Forerunner handshake;
    private final BackendPool pool;
    private final BackendConnector connector;
    private State state = State.NOT_STARTED;

    ConnectPhase(Session session, Connection client, Forerunner handshake, BackendPool pool) {
        this.session = session;
        this.client = client;
        this.handshake = handshake;
        this.pool = pool;
        GatewayLoop loop = session.loop();
        this.connector = new BackendConnector(loop.eventLoop(), pool, loop.counters(), this);
    }

    /** Starts to connect. */
    void begin() {
        if (session.record() != null) {
            session.record().backend(pool.config().name());
        }
        connector.start();
        state = State.CONNECTING;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void attach() {
        client.handler(this);
    }

    @Override
    public void abort() {
        client.abort();
    }

    /** Waits for the outcome of the connector; the client, which may have an alert to receive yet, ends by itself. */
    @Override
    public void onHandshakeFailed() {
        if (state == State.CONNECTING) {
            state = State.HANDSHAKE_FAILED;
        }
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        handshake.receivedBeforeRelay(buffer);
    }

    @Override
    public void onEndOfStream(Connection connection) {
        handshake.endedBeforeRelay();
    }

    @Override
    public void onClosed(Connection connection) {
        if (state == State.CONNECTING || state == State.HANDSHAKE_FAILED) {
            state = State.ABANDONED;
            connector.abandon(); // nobody is left to answer to
        } else {
            session.over();
        }
    }

    @Override
    public void release(SessionEnd end) {
        handshake.release(end);
    }

    // --- the outcome ------------------------------------------------------------------------------------------------

    /** The relay is entered even when it is not wanted any more: it ends both connections then. */
    @Override
    public void onBackendConnected(Connection backend, PoolServer server) {
        RelayPhase successor = new RelayPhase(session, client, backend, handshake, server);
        boolean wanted = isBackendWanted();
        session.enter(successor);
        if (session.record() != null) {
            session.record().server(server.name());
        }
        if (wanted) {
            successor.begin();
        } else if (state == State.ABANDONED) {
            successor.onClosed(client);
        } else if (state == State.HANDSHAKE_FAILED) {
            successor.onHandshakeFailed();
        } else {
            successor.abort();
        }
    }

    @Override
    public void onBackendUnavailable(EndSide side, ConnectionFailure failure) {
        boolean clientClosed = state == State.ABANDONED;
        if (!clientClosed && handshake.isUnderWay()) {
            handshake.returnWithoutBackend();
            return;
        }
        SessionEnd why = failure.reason() == EndReason.NO_BUFFERS
                ? SessionEnd.NO_BUFFERS
                : SessionEnd.backend(pool.config().name(), side, failure);
        if (clientClosed) {
            session.endWith(why);
            session.over();
        } else {
            session.close(why, client);
        }
    }

    // --- what the connector asks ------------------------------------------------------------------------------------

    @Override
    public boolean isBackendWanted() {
        return state != State.ABANDONED && !session.isEnding();
    }

    @Override
    public byte[] header() {
        return switch (pool.config().proxyProtocol()) {
            case NONE -> new byte[0];
            case V1 -> proxyHeader().toVersionOne();
            case V2 -> proxyHeader().toVersionTwo();
        };
    }

    private ProxyHeader proxyHeader() {
        return new ProxyHeader(session.peer(), session.destination(), handshake.tlsFacts());
    }

    @Override
    public InetAddress clientAddress() {
        return session.peer().getAddress();
    }

    @Override
    public long nanoTime() {
        return session.loop().nanoTime();
    }
}
