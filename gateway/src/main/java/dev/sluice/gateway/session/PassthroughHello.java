package dev.sluice.gateway.session;

import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import org.jspecify.annotations.Nullable;

/** The first bytes of a client whose TLS is passed through, held until its backend is connected. */
final class PassthroughHello implements Forerunner {
    private final Session session;
    private final TlsFacts facts;
    private @Nullable Slab hello;

    /**
     * Holds the listener in place of the phase before.
     *
     * @param facts what the PROXY header says to the backend
     * @param hello this object's from now on
     */
    PassthroughHello(Session session, TlsFacts facts, Slab hello) {
        this.session = session;
        this.facts = facts;
        this.hello = hello;
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
    public void join(Connection backend) {
        Slab first = hello;
        hello = null;
        try {
            if (first != null) {
                session.countToBackend(first.length());
                backend.send(first);
            }
        } finally {
            session.listener().release();
        }
    }

    @Override
    public void forwardTo(Connection backend) {
        throw new IllegalStateException("a connection that is passed through has no handshake to wait for");
    }

    @Override
    public void returnWithoutBackend() {
        throw new IllegalStateException("a connection that is passed through has no phase to return to");
    }

    @Override
    public void release(SessionEnd end) {
        if (hello != null) {
            hello.release();
            hello = null;
        }
        session.listener().release();
    }
}
