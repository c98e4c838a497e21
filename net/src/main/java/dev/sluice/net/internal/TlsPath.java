package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;

/**
 * How a {@link TlsStream}'s bytes get from the socket to its handler and back: the handler of the connection underneath.
 * None of the calls that the stream makes leads to a call of the stream's handler from inside: that comes in later turns.
 */
abstract class TlsPath implements ConnectionHandler {
    final TlsStream stream;
    final StreamConnection tcp;

    TlsPath(TlsStream stream, StreamConnection tcp) {
        this.stream = stream;
        this.tcp = tcp;
    }

    /** Receiving was switched on. */
    abstract void startReceiving();

    /** Receiving was switched off. */
    abstract void stopReceiving();

    /** Takes a slab of plaintext over, to be sent. */
    abstract void send(Slab buffer);

    /** Bytes that wait to be sent. */
    abstract long queuedBytes();

    /** Ends our side, once what waits has been sent. */
    abstract void shutdownOutput();

    /** The stream's phase has become CLOSING: sends what waits, and close_notify, then calls {@link TlsStream#end()}. */
    abstract void close();

    /**
     * The peer's FIN stands behind all that was received, and no receive is under way: a truncation, unless
     * close_notify stands in what the path has not opened yet. The next receive would meet it, too.
     */
    abstract void onPeerEnded();

    /** Nothing uses the socket any more: frees what the path holds. */
    abstract void release();

    @Override
    public final void onFailed(Connection connection, ConnectionFailure failure) {
        stream.lost(failure);
    }

    @Override
    public final void onClosed(Connection connection) {
        try {
            release();
        } finally {
            stream.closed();
        }
    }
}
