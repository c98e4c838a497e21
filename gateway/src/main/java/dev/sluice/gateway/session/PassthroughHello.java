package dev.sluice.gateway.session;

import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;

/**
 * The first bytes of a client whose TLS is passed through, or who speaks none, until its backend is connected.
 */
final class PassthroughHello implements Forerunner {
    private final Session session;
    private final TlsFacts facts;
    private final WaitingBytes waiting;

    /**
     * Holds the listener in place of the phase before.
     *
     * @param facts what the PROXY header says
     * @param bytes as they came; this object's from now on
     */
    PassthroughHello(Session session, TlsFacts facts, byte[] bytes) {
        this.session = session;
        this.facts = facts;
        this.waiting = new WaitingBytes(bytes);
    }

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
            session.listener().release();
        }
    }

    @Override
    public void forwardTo(Connection backend) {
        throw new IllegalStateException("nothing is forwarded before a passed connection is complete");
    }

    @Override
    public void returnWithoutBackend() {
        throw new IllegalStateException("a connection that is passed through has no phase to return to");
    }

    @Override
    public void release(SessionEnd end) {
        session.listener().release();
    }
}
