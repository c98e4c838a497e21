package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.TcpConnection;
import java.net.SocketAddress;

/** An echo server that stops receiving while much waits to be sent. */
class PlainEcho implements AcceptHandler, ConnectionHandler {
    private static final long MOST_QUEUED_BYTES = 100_000;

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        connection.handler(this);
        connection.startReceiving();
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        connection.send(buffer);
        if (connection.queuedBytes() > MOST_QUEUED_BYTES) {
            connection.stopReceiving();
        }
    }

    @Override
    public void onSent(Connection connection) {
        if (connection.queuedBytes() <= MOST_QUEUED_BYTES) {
            connection.startReceiving();
        }
    }

    @Override
    public void onEndOfStream(Connection connection) {
        connection.close();
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        // The listener goes on by itself.
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        // onClosed follows.
    }

    @Override
    public void onClosed(Connection connection) {
        // Nothing is kept.
    }
}
