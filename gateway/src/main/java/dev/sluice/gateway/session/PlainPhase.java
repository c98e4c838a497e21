package dev.sluice.gateway.session;

import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;

/**
 * The phase of a client of a listener without TLS. Nothing is awaited, since the server may have to speak first. Its
 * successor is the {@link ConnectPhase}, after a {@link FirstDataPhase} where the backend is connected on data.
 */
final class PlainPhase implements IdentifiedPhase {
    private final Session session;

    PlainPhase(Session session) {
        this.session = session;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void begin() {
        if (pool().config().connect() == ConnectMode.ON_DATA) {
            awaitData();
        } else {
            connect(new byte[0]);
        }
    }

    private void awaitData() {
        FirstDataPhase successor = new FirstDataPhase(session, session.socket(), pool(), TlsFacts.NONE);
        session.enter(successor);
        session.listener().release();
        successor.begin();
    }

    @Override
    public void take(Slab first) {
        byte[] bytes = new byte[first.length()];
        RawMemory.copy(first.payloadAddress(), bytes, 0, bytes.length);
        first.release();
        connect(bytes);
    }

    /**
     * Connects to the backend.
     *
     * @param bytes of the client that have come already, behind a PROXY header
     */
    private void connect(byte[] bytes) {
        PassthroughHello forerunner = new PassthroughHello(session, TlsFacts.NONE, bytes);
        ConnectPhase successor = new ConnectPhase(
                session,
                session.socket(),
                forerunner,
                session.listener().router().only());
        session.enter(successor);
        successor.begin();
    }

    private BackendPool pool() {
        return session.listener().router().only();
    }

    @Override
    public void release(SessionEnd end) {
        session.listener().release();
    }
}
