package dev.sluice.net;

import dev.sluice.tls.engine.HandshakeInfo;

/** A handler of the outcome of a TLS handshake: one of the two, once, on the loop's thread. */
public interface HandshakeHandler {
    /**
     * Reports that the handshake is complete. The handler sets a {@link ConnectionHandler} if none is set, or aborts.
     */
    void onHandshake(TlsConnection connection, HandshakeInfo info);

    /**
     * Reports that the handshake failed or took too long. An alert, where there is one, is on its way; the connection
     * closes by itself and a {@link ConnectionHandler}, where one is set, hears {@link ConnectionHandler#onClosed} and
     * nothing else. Not called when the connection was closed or aborted by us.
     */
    void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure);
}
