package dev.sluice.transfer.meet;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;

/** A handler of connections that are refused: ignores everything until they are closed. */
final class RelayLeaver implements ConnectionHandler {
    private final Runnable whenClosed;

    /**
     * Creates the handler, which serves any number of connections.
     *
     * @param whenClosed run for each
     */
    RelayLeaver(Runnable whenClosed) {
        this.whenClosed = whenClosed;
    }

    @Override
    public void onReceived(Connection from, Slab buffer) {
        buffer.release();
    }

    @Override
    public void onEndOfStream(Connection from) {
        // The connection closes anyway.
    }

    @Override
    public void onSent(Connection from) {
        // The answer has left.
    }

    @Override
    public void onFailed(Connection from, ConnectionFailure failure) {
        // onClosed follows.
    }

    @Override
    public void onClosed(Connection from) {
        whenClosed.run();
    }
}
