package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.internal.TlsStream.Phase;
import dev.sluice.tls.engine.KernelHandover;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way of a {@link TlsStream}'s bytes from the socket to its handler and back: the handler of the connection
 * underneath. None of the calls that the stream makes leads to a call of the stream's handler from inside: that comes
 * in later turns.
 */
abstract class TlsPath implements ConnectionHandler {
    /** The phases of our direction. */
    enum Output {
        OPEN,
        /** Close_notify is to follow what waits. */
        ENDING,
        /** Close_notify is sealed, and nothing else will be. */
        CLOSED,
        /** FIN follows close_notify, and nothing can leave any more. */
        SHUT
    }

    final TlsStream stream;
    final StreamConnection tcp;
    Output output = Output.OPEN;

    TlsPath(TlsStream stream, StreamConnection tcp) {
        this.stream = stream;
        this.tcp = tcp;
    }

    /** Returns the handler of the handshake's outcome; null once it is complete. */
    @Nullable
    HandshakeHandler handshakeHandler() {
        return null;
    }

    /** Starts receiving. */
    abstract void startReceiving();

    /** Stops receiving. */
    abstract void stopReceiving();

    /** Takes a slab of plaintext over, to be sent. */
    abstract void send(Slab buffer);

    /** Returns the number of bytes that wait to be sent. */
    abstract long queuedBytes();

    /** Ends our side, once what waits has been sent: the phase has become {@link Output#ENDING} or later. */
    abstract void shutdownOutput();

    /**
     * Sends what waits, and close_notify, then calls {@link TlsStream#end()}: the same in the stream's phase CLOSING.
     */
    abstract void close();

    /** Has our side end once what waits has been sent. Idempotent. */
    final void endOutput() {
        if (output == Output.OPEN) {
            output = Output.ENDING;
        }
    }

    /**
     * Reports that the peer's FIN stands behind all that was received, and no receive is under way: a truncation,
     * unless close_notify stands in what the path has not opened yet. The next receive would meet it, too.
     */
    abstract void onPeerEnded();

    /** Hands the records over to the kernel when that can be; see {@link dev.sluice.net.TlsConnection#handToKernel}. */
    void handToKernel(Consumer<KernelHandover> outcome) {
        outcome.accept(KernelHandover.LIBSSL);
    }

    /**
     * Takes an error of a receive that tells of a record and not of the connection.
     *
     * @param errno positive
     * @return false when it is not such an error
     */
    boolean onReceiveFailed(int errno) {
        return false;
    }

    /**
     * Does what was to follow the last byte, which has been given to the connection underneath.
     *
     * @param peerClosed whether the peer's close_notify has come
     */
    final void allSent(boolean peerClosed) {
        Phase phase = stream.phase();
        if (phase == Phase.FAILING || phase == Phase.CLOSING) {
            stream.end();
        } else if (phase == Phase.OPEN && output != Output.OPEN) {
            if (peerClosed) {
                stream.end();
            } else if (output != Output.SHUT) {
                output = Output.SHUT;
                tcp.shutdownOutput();
            }
        }
    }

    /** Frees what the path holds, now that nothing uses the socket any more. */
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
