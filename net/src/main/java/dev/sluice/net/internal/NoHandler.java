package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;

/** The handler until one is set, and for connections that never were. */
final class NoHandler implements ConnectionHandler {
    static final NoHandler INSTANCE = new NoHandler();

    private NoHandler() {}

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        buffer.release();
    }

    @Override
    public void onEndOfStream(Connection connection) {}

    @Override
    public void onSent(Connection connection) {}

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {}

    @Override
    public void onClosed(Connection connection) {}
}
