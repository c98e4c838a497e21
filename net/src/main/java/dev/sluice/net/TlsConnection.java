package dev.sluice.net;

import dev.sluice.memory.Slab;
import dev.sluice.net.internal.TlsStream;
import dev.sluice.tls.BufferedEngine;

/**
 * A TLS connection over a {@link TcpConnection}, server or client. What it receives and sends are plaintext slabs.
 *
 * <p>During the handshake, and for good with an engine that stays with libssl, ciphertext goes between the socket and
 * the engine's memory directly. A connection whose {@code DirectEngine} has detached from libssl opens and seals
 * records in the loop's buffers, and holds none of them at rest.
 *
 * <p>Memory per connection is bounded: the engine's two rings during the handshake, then what was given to
 * {@link #send} and the peer has not drained, and a record that has not come whole. While receiving is off, at most one
 * buffer of ciphertext is taken from the kernel.
 */
public interface TlsConnection extends Connection {
    /**
     * Begins the handshake over a connection, whose handler becomes this one's own. Returns at once; the outcome comes
     * to the handler later.
     *
     * @param transport connected, nothing under way on it; owned by the TLS connection from now on
     * @param engine fresh, for a server or a client; owned by the TLS connection from now on, which closes it, or
     *     takes it over when it detaches from libssl in its handshake
     * @param handshakeTimeoutMillis how long the handshake may take in all
     * @param handshake told how it ended; an {@link EarlyDataHandler} takes early data besides
     */
    static TlsConnection start(
            TcpConnection transport, BufferedEngine engine, long handshakeTimeoutMillis, HandshakeHandler handshake) {
        return TlsStream.start(transport, engine, handshakeTimeoutMillis, handshake);
    }

    /**
     * Begins the handshake over a connection whose first bytes have been received already, so that somebody could look
     * at them before an engine was made.
     *
     * @param transport not receiving any more
     * @param firstBytes as they were received; the TLS connection's from now on
     */
    static TlsConnection start(
            TcpConnection transport,
            BufferedEngine engine,
            long handshakeTimeoutMillis,
            HandshakeHandler handshake,
            Slab firstBytes) {
        TlsStream stream = TlsStream.start(transport, engine, handshakeTimeoutMillis, handshake);
        stream.begin(firstBytes);
        return stream;
    }

    /**
     * Returns the connection underneath, for addresses and the descriptor; not to be received from, sent on or closed.
     */
    TcpConnection transport();
}
