package dev.sluice.gateway.session;

import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.tls.failure.Fault;

/**
 * A relay between two connections: what one receives the other sends, from the same buffer. Confined to their loop.
 *
 * <ul>
 *   <li>Back-pressure: a side whose peer holds more than {@code heldBytesMax} unsent bytes stops receiving, and resumes
 *       when half of them have left.
 *   <li>Half-close: the end of one direction is passed on, the other direction stays open.
 *   <li>A side that breaks takes the other down with a reset, so that nobody takes a torn stream for a complete one.
 *   <li>So does a side that is closed before both directions have ended, for whatever reason: a side outlives the other
 *       only to send what it holds.
 * </ul>
 *
 * Subclasses hear of what happens, on the loop.
 */
public abstract class Relay implements ConnectionHandler {
    /**
     * The most bytes by which what is held in one direction may exceed {@code heldBytesMax}: the delivery that passes
     * it, and one that was under way. What the loop's transport holds back besides has a limit of its own.
     */
    static final long LATE_BYTES_MAX = 2L * BufferGeometry.BULK_BYTES;

    /** One of the two sides, which are bits of sets. */
    private static final byte CLIENT = 1;

    private static final byte BACKEND = 2;
    private static final byte BOTH = CLIENT | BACKEND;

    /** The position of the bits of sides that have failed, behind those of sides that are closed. */
    private static final int FAILED_SHIFT = 2;

    private final Connection client;
    private final Connection backend;
    private final long heldBytesMax;
    private boolean touched;

    /** Sides from which nothing is received, since the other one holds too much. */
    private byte paused;

    /** Sides that will send no more. */
    private byte ended;

    /** Sides that are closed, and sides that have failed. */
    private byte closed;

    /**
     * Makes a relay.
     *
     * @param client receiving is off, nothing has ended
     * @param backend likewise
     * @param heldBytesMax most bytes that may wait in one direction before its source is stopped
     */
    public Relay(Connection client, Connection backend, long heldBytesMax) {
        this.client = client;
        this.backend = backend;
        this.heldBytesMax = heldBytesMax;
    }

    // --- what subclasses hear ---------------------------------------------------------------------------------------

    /** Counts bytes that came from the client and go to the backend. */
    public abstract void onBytesToBackend(int count);

    /** Counts bytes that came from the backend and go to the client. */
    public abstract void onBytesToClient(int count);

    /** Notes that the client's connection broke before both directions had ended, or by an error of our own. */
    public abstract void onClientFailed(ConnectionFailure failure);

    /** Notes that the backend's connection broke before both directions had ended, or by an error of our own. */
    public abstract void onBackendFailed(ConnectionFailure failure);

    /** Notes that the client's connection holds nothing any more. Called once. */
    public abstract void onClientClosed();

    /** Notes that the backend's connection holds nothing any more. Called once. */
    public abstract void onBackendClosed();

    // --- what its maker calls ---------------------------------------------------------------------------------------

    /** Becomes the handler of both connections; nothing is received yet. */
    public void attach() {
        client.handler(this);
        backend.handler(this);
    }

    /** Starts to relay in both directions. */
    public void start() {
        startClient();
        startBackend();
    }

    /** Starts to relay what the client sends. */
    void startClient() {
        client.startReceiving();
    }

    /** Passes the end of the client's direction on, which was reported before there was a relay. */
    void endClient() {
        onEndOfStream(client);
    }

    /** Starts to relay what the backend sends. */
    void startBackend() {
        backend.startReceiving();
    }

    Connection backend() {
        return backend;
    }

    /** Returns true when bytes have moved since the last call. */
    boolean takeTouched() {
        boolean moved = touched;
        touched = false;
        return moved;
    }

    /** Returns true when both directions have ended cleanly. */
    boolean isComplete() {
        return ended == BOTH;
    }

    /** Returns true when both connections are closed. */
    boolean isClosed() {
        return (closed & BOTH) == BOTH;
    }

    /** Ends both sides at once, with a reset. */
    public void abort() {
        abort(CLIENT);
        abort(BACKEND);
    }

    /** Ends the backend's side with a reset; the client's ends by itself, and may have an alert to receive yet. */
    void abortBackend() {
        closed |= CLIENT << FAILED_SHIFT;
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

    // --- what the connections report --------------------------------------------------------------------------------

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
            onBytesToBackend(buffer.length());
        } else {
            onBytesToClient(buffer.length());
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
            reportFailed(side, failure);
        } finally {
            abort(opposite(side));
        }
    }

    /** Reports an error of our own after the end of both directions, too: the peer may not have heard of that end. */
    private void reportFailed(byte side, ConnectionFailure failure) {
        if (!isComplete() || failure.fault() == Fault.OURS) {
            if (side == CLIENT) {
                onClientFailed(failure);
            } else {
                onBackendFailed(failure);
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
            onClientClosed();
        } else {
            onBackendClosed();
        }
    }
}
