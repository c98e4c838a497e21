package dev.sluice.net;

import dev.sluice.tls.HandshakeInfo;

/** Told how a TLS handshake ended: one of the two, once, on the loop's thread. */
public interface HandshakeHandler {
    /** The handshake is complete. The handler sets a {@link ConnectionHandler} if none is set, or aborts. */
    void onHandshake(TlsConnection connection, HandshakeInfo info);

    /**
     * The handshake failed or took too long. An alert, where there is one, is on its way; the connection closes by itself
     * and a {@link ConnectionHandler}, where one is set, hears {@link ConnectionHandler#onClosed} and nothing else. Not
     * called when the connection was closed or aborted by us.
     */
    void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure);
}
