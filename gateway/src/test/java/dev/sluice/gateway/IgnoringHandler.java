package dev.sluice.gateway;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;

/** A handler that releases everything and reacts to nothing. */
public class IgnoringHandler implements ConnectionHandler {
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
