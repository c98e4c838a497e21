package dev.sluice.net;

import dev.sluice.memory.Slab;
import dev.sluice.tls.engine.BufferedEngine;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * A connected stream socket, TCP or Unix.
 *
 * <p>Besides loop buffers it can receive into and send from memory that somebody else owns, such as the memory of
 * a TLS engine: lent memory.
 */
public interface TcpConnection extends Connection {
    /** Returns our end's address: what a client connected to. Asked of the kernel with each call. */
    SocketAddress localAddress();

    /** Returns the peer's address, as it was when the connection was made. */
    SocketAddress peerAddress();

    /**
     * Has the kernel ask the peer whether it is still there, when nothing has come from it for so long, then three
     * times more within as long again, and break the connection when nothing answers ({@code connection_timed_out}).
     *
     * @param idle counted in whole seconds, at least one, at most 32,767 s; zero: do not ask. No effect on a Unix
     *     socket
     */
    void keepAlive(Duration idle);

    /** Returns the file descriptor, for what has no call here. Owned by the connection. */
    int descriptor();

    /**
     * Receives once, into the caller's memory, which must stay valid until the handler is called or the connection is
     * closed ({@link ConnectionHandler#onClosed}). Not while {@link #startReceiving()} is on. A buffer that was under
     * way when receiving stopped is delivered first. Whoever meets the peer's end in a receive into lent memory closes
     * the connection too: it does not close by itself then.
     *
     * @throws IllegalStateException when receiving is on, or another receive into lent memory is under way
     */
    void receiveInto(long address, int capacity, TransferHandler handler);

    /**
     * Sends once, from the caller's memory, which must stay valid and unchanged until the handler is called or the
     * connection is closed. Everything queued before leaves first; at most one send from lent memory at a time, and no
     * {@link #send} until it is over.
     *
     * @throws IllegalStateException when another send from lent memory is under way, or after {@link #shutdownOutput()}
     */
    void sendFrom(long address, int length, TransferHandler handler);

    /**
     * Starts TLS on this connection, whose handler becomes the TLS connection's own. Returns at once; the handshake's
     * outcome comes to the handler later. Nothing may be under way on this connection, which the TLS connection owns
     * from now on.
     *
     * @param engine fresh, for a server or a client; owned by the TLS connection from now on, which closes it, or
     *     takes it over when it detaches from libssl in its handshake
     * @param handshakeTimeoutMillis the limit of the whole handshake
     * @param handshake receives the outcome; an {@link EarlyDataHandler} receives early data, too
     */
    TlsConnection startTls(BufferedEngine engine, long handshakeTimeoutMillis, HandshakeHandler handshake);

    /**
     * Starts TLS on this connection, whose first bytes were received before the engine was made. Receiving must be off.
     *
     * @param firstBytes as they were received; the TLS connection's from now on
     */
    TlsConnection startTls(
            BufferedEngine engine, long handshakeTimeoutMillis, HandshakeHandler handshake, Slab firstBytes);

    /** A handler of the end of a transfer. Called on the loop's thread, never from inside the call that asked. */
    interface TransferHandler {
        /**
         * Reports that the call is over.
         *
         * @param result bytes moved; 0 for a receive that met the peer's FIN; failures go to the
         *     {@link ConnectionHandler} instead
         */
        void onTransferred(int result);
    }
}
