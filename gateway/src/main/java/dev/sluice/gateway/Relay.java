package dev.sluice.gateway;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;

/**
 * Joins two connections: what one receives the other sends, from the same buffer. Confined to their loop.
 *
 * <ul>
 *   <li>Back-pressure: a side whose peer holds more than {@code heldBytesMax} unsent bytes stops receiving, and goes on
 *       when half of them have left.
 *   <li>Half-close: the end of one direction is passed on, the other direction goes on.
 *   <li>A side that breaks takes the other down with a reset, so that nobody takes a torn stream for a complete one.
 * </ul>
 */
final class Relay {
    private final Side client;
    private final Side backend;
    private final long heldBytesMax;
    private final Owner owner;
    private boolean touched;

    /** Who is told. Called on the loop. */
    interface Owner {
        /** Bytes came from the client and go to the backend. */
        void onBytesToBackend(int count);

        /** Bytes came from the backend and go to the client. */
        void onBytesToClient(int count);

        /** The client's connection broke, before both directions had ended. Called at most once for both sides. */
        void onClientFailed(ConnectionFailure failure);

        /** The backend's connection broke, before both directions had ended. */
        void onBackendFailed(ConnectionFailure failure);

        /** The client's connection holds nothing any more. */
        void onClientClosed();

        /** The backend's connection holds nothing any more. Both have been told: the relay is over. */
        void onBackendClosed();
    }

    /**
     * @param client receiving is off, nothing has ended
     * @param backend likewise
     * @param heldBytesMax most bytes that may wait in one direction before its source is stopped
     */
    Relay(Connection client, Connection backend, long heldBytesMax, Owner owner) {
        this.client = new Side(client, true);
        this.backend = new Side(backend, false);
        this.heldBytesMax = heldBytesMax;
        this.owner = owner;
    }

    /** Takes over both connections; nothing is received yet. */
    void attach() {
        client.connection.handler(client);
        backend.connection.handler(backend);
    }

    /** Begins to relay. */
    void start() {
        client.connection.startReceiving();
        backend.connection.startReceiving();
    }

    /** Whether bytes have moved since the last call. */
    boolean takeTouched() {
        boolean moved = touched;
        touched = false;
        return moved;
    }

    /** Whether both directions have ended cleanly. */
    boolean isComplete() {
        return client.ended && backend.ended;
    }

    /** Ends both sides at once, with a reset. */
    void abort() {
        client.abort();
        backend.abort();
    }

    private Side other(Side side) {
        return side == client ? backend : client;
    }

    /** One of the two connections. */
    private final class Side implements ConnectionHandler {
        private final Connection connection;
        private final boolean isClient;
        private boolean paused;
        private boolean ended;
        private boolean closed;

        Side(Connection connection, boolean isClient) {
            this.connection = connection;
            this.isClient = isClient;
        }

        @Override
        public void onReceived(Connection from, Slab buffer) {
            Side other = other(this);
            if (other.closed) {
                buffer.release();
                return;
            }
            touched = true;
            if (isClient) {
                owner.onBytesToBackend(buffer.length());
            } else {
                owner.onBytesToClient(buffer.length());
            }
            other.connection.send(buffer);
            if (!paused && other.connection.queuedBytes() > heldBytesMax) {
                paused = true;
                connection.stopReceiving();
            }
        }

        @Override
        public void onSent(Connection to) {
            touched = true;
            Side source = other(this);
            if (source.paused && !source.closed && connection.queuedBytes() <= heldBytesMax / 2) {
                source.paused = false;
                source.connection.startReceiving();
            }
        }

        @Override
        public void onEndOfStream(Connection from) {
            ended = true;
            Side other = other(this);
            if (!other.closed) {
                other.connection.shutdownOutput();
            }
        }

        @Override
        public void onFailed(Connection from, ConnectionFailure failure) {
            if (!isComplete()) {
                if (isClient) {
                    owner.onClientFailed(failure);
                } else {
                    owner.onBackendFailed(failure);
                }
            }
            other(this).abort();
        }

        @Override
        public void onClosed(Connection from) {
            closed = true;
            if (isClient) {
                owner.onClientClosed();
            } else {
                owner.onBackendClosed();
            }
        }

        private void abort() {
            if (!closed) {
                connection.abort();
            }
        }
    }
}
