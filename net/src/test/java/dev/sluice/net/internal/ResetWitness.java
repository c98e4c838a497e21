package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TcpConnection;
import java.net.SocketAddress;
import java.util.Objects;

/** A sender to a peer that does not read; it records the outcome. */
final class ResetWitness implements AcceptHandler, ConnectionHandler {
    private final EventLoop loop;
    private boolean sending;
    private boolean over;
    int ends;

    ResetWitness(EventLoop loop) {
        this.loop = loop;
    }

    boolean isSending() {
        return sending;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        connection.handler(this);
        connection.startReceiving();
        for (int i = 0; i < 3; i++) {
            Slab slab = Objects.requireNonNull(loop.buffers().lease());
            slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + BufferGeometry.PAYLOAD);
            connection.send(slab);
        }
        loop.schedule(1, () -> sending = true);
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        // The listener goes on by itself.
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        buffer.release();
    }

    @Override
    public void onEndOfStream(Connection connection) {
        ends++;
    }

    @Override
    public void onSent(Connection connection) {
        // Nothing waits for it.
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        // As it should be.
    }

    @Override
    public void onClosed(Connection connection) {
        over = true;
    }
}
