package dev.sluice.gateway.session;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;

/**
 * The phase of a client of a listener without TLS: nothing is awaited, since the server may have to speak first. Its
 * successor is the {@link ConnectPhase}.
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
        connect(new byte[0]);
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

    @Override
    public void release(SessionEnd end) {
        session.listener().release();
    }
}
