package dev.sluice.gateway;

import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.tls.TlsFailure.Fault;

/**
 * Joins two connections: what one receives the other sends, from the same buffer. Confined to their loop.
 *
 * <ul>
 *   <li>Back-pressure: a side whose peer holds more than {@code heldBytesMax} unsent bytes stops receiving, and goes on
 *       when half of them have left.
 *   <li>Half-close: the end of one direction is passed on, the other direction goes on.
 *   <li>A side that breaks takes the other down with a reset, so that nobody takes a torn stream for a complete one.
 *   <li>So does a side that is closed before both directions have ended, for whatever reason: no side outlives the other but
 *       to send what it holds.
 * </ul>
 */
final class Relay implements ConnectionHandler {
    /**
     * Most bytes by which what is held in one direction may be above {@code heldBytesMax}: the delivery that passes it, and
     * one that was under way. What the loop's transport holds back besides has a limit of its own.
     */
    static final long LATE_BYTES_MAX = 2L * BufferGeometry.BULK_BYTES;

    /** The two sides, which are bits of sets. */
    private static final byte CLIENT = 1;

    private static final byte BACKEND = 2;
    private static final byte BOTH = CLIENT | BACKEND;

    /** Where the bits of sides that have failed stand, behind those of sides that are closed. */
    private static final int FAILED_SHIFT = 2;

    private final Connection client;
    private final Connection backend;
    private final long heldBytesMax;
    private final Owner owner;
    private boolean touched;

    /** Sides from which nothing is received, because the other one holds too much. */
    private byte paused;

    /** Sides that will send no more. */
    private byte ended;

    /** Sides that are closed, and sides that have failed. */
    private byte closed;

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
        this.client = client;
        this.backend = backend;
        this.heldBytesMax = heldBytesMax;
        this.owner = owner;
    }

    /** Takes over both connections; nothing is received yet. */
    void attach() {
        client.handler(this);
        backend.handler(this);
    }

    /** Begins to relay. */
    void start() {
        startClient();
        startBackend();
    }

    /** Begins to relay what the client sends. */
    void startClient() {
        client.startReceiving();
    }

    /** Begins to relay what the backend sends. */
    void startBackend() {
        backend.startReceiving();
    }

    Connection backend() {
        return backend;
    }

    /** Whether bytes have moved since the last call. */
    boolean takeTouched() {
        boolean moved = touched;
        touched = false;
        return moved;
    }

    /** Whether both directions have ended cleanly. */
    boolean isComplete() {
        return ended == BOTH;
    }

    /** Ends both sides at once, with a reset. */
    void abort() {
        abort(CLIENT);
        abort(BACKEND);
    }

    /** Ends the backend's side with a reset; the client's ends by itself. */
    void abortBackend() {
        abort(BACKEND);
    }

    private void abort(byte side) {
        if ((closed & side) == 0) {
            connection(side).abort();
        }
    }

    private byte sideOf(Connection connection) {
        return connection.equals(client) ? CLIENT : BACKEND;
    }

    private static byte opposite(byte side) {
        return side == CLIENT ? BACKEND : CLIENT;
    }

    private Connection connection(byte side) {
        return side == CLIENT ? client : backend;
    }

    // --- what the connections tell ----------------------------------------------------------------------------------

    @Override
    public void onReceived(Connection from, Slab buffer) {
        byte side = sideOf(from);
        byte destination = opposite(side);
        if ((closed & destination) != 0) {
            buffer.release();
            return;
        }
        touched = true;
        if (side == CLIENT) {
            owner.onBytesToBackend(buffer.length());
        } else {
            owner.onBytesToClient(buffer.length());
        }
        Connection to = connection(destination);
        to.send(buffer);
        if ((paused & side) == 0 && to.queuedBytes() > heldBytesMax) {
            paused |= side;
            from.stopReceiving();
        }
    }

    @Override
    public void onSent(Connection to) {
        touched = true;
        byte source = opposite(sideOf(to));
        if ((paused & source) != 0 && (closed & source) == 0 && to.queuedBytes() <= heldBytesMax / 2) {
            paused &= (byte) ~source;
            connection(source).startReceiving();
        }
    }

    @Override
    public void onEndOfStream(Connection from) {
        byte side = sideOf(from);
        byte destination = opposite(side);
        ended |= side;
        if ((closed & destination) == 0) {
            connection(destination).shutdownOutput();
        }
    }

    @Override
    public void onFailed(Connection from, ConnectionFailure failure) {
        byte side = sideOf(from);
        closed |= (byte) (side << FAILED_SHIFT);
        try {
            tellFailed(side, failure);
        } finally {
            abort(opposite(side));
        }
    }

    /** An error of our own is told behind the end of both directions, too: the peer may not have heard of that end. */
    private void tellFailed(byte side, ConnectionFailure failure) {
        if (!isComplete() || failure.fault() == Fault.OURS) {
            if (side == CLIENT) {
                owner.onClientFailed(failure);
            } else {
                owner.onBackendFailed(failure);
            }
        }
    }

    @Override
    public void onClosed(Connection from) {
        byte side = sideOf(from);
        closed |= side;
        // One that has failed ends by itself, within a bounded time, and may have an alert to send yet.
        boolean oppositeEnds = (closed & opposite(side) << FAILED_SHIFT) != 0;
        if (!isComplete() && !oppositeEnds) {
            abort(opposite(side));
        }
        if (side == CLIENT) {
            owner.onClientClosed();
        } else {
            owner.onBackendClosed();
        }
    }
}
