package dev.sluice.net;

import dev.sluice.net.internal.TlsStream;
import dev.sluice.tls.BufferedEngine;

/**
 * A TLS connection over a {@link TcpConnection}, server or client. What it receives and sends are plaintext slabs; ciphertext
 * goes between the socket and the engine's rings directly.
 *
 * <p>Memory per connection is bounded: the engine's two rings, and what was given to {@link #send} and the peer has not
 * drained. While receiving is off, at most one ring of ciphertext is taken from the kernel.
 */
public interface TlsConnection extends Connection {
    /**
     * Begins the handshake over a connection, whose handler becomes this one's own. Returns at once; the outcome comes to
     * the handler later.
     *
     * @param transport connected, nothing under way on it; owned by the TLS connection from now on
     * @param engine fresh, for a server or a client; owned by the TLS connection from now on, which closes it
     * @param handshakeTimeoutMillis how long the handshake may take in all
     */
    static TlsConnection start(
            TcpConnection transport, BufferedEngine engine, long handshakeTimeoutMillis, HandshakeHandler handshake) {
        return TlsStream.start(transport, engine, handshakeTimeoutMillis, handshake);
    }

    /** The connection underneath, for addresses and the descriptor; not to be received from, sent on or closed. */
    TcpConnection transport();
}
