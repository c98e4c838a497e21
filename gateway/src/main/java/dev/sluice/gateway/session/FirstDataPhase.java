package dev.sluice.gateway.session;

import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;

/**
 * The phase in which the first byte of a client is awaited, whose backend is connected on data. Its successor is the
 * {@link ConnectPhase}. Then this object lives on beside that, and has what the client has sent, until the client joins
 * the relay.
 *
 * <p>It holds the backend, and not the listener: a client may rest for hours, and the certificates of an older
 * configuration are not kept for it.
 */
final class FirstDataPhase implements SessionPhase, Forerunner {
    private final Session session;
    private final Connection client;
    private final BackendPool pool;
    private final TlsFacts facts;
    private final WaitingBytes waiting = new WaitingBytes();
    private byte idleSweeps;

    /**
     * Holds the backend.
     *
     * @param facts what the PROXY header says
     */
    FirstDataPhase(Session session, Connection client, BackendPool pool, TlsFacts facts) {
        this.session = session;
        this.client = client;
        this.pool = pool;
        this.facts = facts;
        pool.hold();
    }

    /** Starts to receive. */
    void begin() {
        if (session.record() != null) {
            session.record().backend(pool.config().name());
        }
        client.startReceiving();
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

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        receivedBeforeRelay(buffer);
        client.stopReceiving();
        ConnectPhase successor = new ConnectPhase(session, client, this, pool);
        session.enter(successor);
        successor.begin();
    }

    /** Ends a client that leaves without a byte: there is nothing that a server could answer. */
    @Override
    public void onEndOfStream(Connection connection) {
        session.close(SessionEnd.COMPLETED, client);
    }

    @Override
    public void onSweep() {
        if (++idleSweeps > GatewayLoop.SWEEPS_PER_IDLE_TIMEOUT) {
            session.abort(SessionEnd.idleTimeout(session.loop().limits().idleTimeout()));
        }
    }

    // --- what successors ask ----------------------------------------------------------------------------------------

    @Override
    public boolean isUnderWay() {
        return false;
    }

    @Override
    public boolean isComplete() {
        return true;
    }

    @Override
    public TlsFacts tlsFacts() {
        return facts;
    }

    @Override
    public void receivedBeforeRelay(Slab buffer) {
        waiting.add(buffer);
    }

    @Override
    public void endedBeforeRelay() {
        waiting.end();
    }

    @Override
    public boolean hasClientEnded() {
        return waiting.isEnded();
    }

    /** Ends everything when there is no buffer left for the bytes. */
    @Override
    public void join(Connection backend) {
        try {
            waiting.sendTo(backend, session);
        } finally {
            session.loop().release(pool);
        }
    }

    @Override
    public void forwardTo(Connection backend) {
        throw new IllegalStateException("nothing is forwarded before the relay of a client whose first byte has come");
    }

    @Override
    public void returnWithoutBackend() {
        throw new IllegalStateException("a client whose first byte has come has no phase to return to");
    }

    @Override
    public void release(SessionEnd end) {
        session.loop().release(pool);
    }
}
