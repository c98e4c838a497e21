package dev.sluice.tls.record;

import dev.sluice.tls.failure.EndReason;

/**
 * A reader of the handshake messages after a handshake, in pieces as records deliver them: it stores only its position
 * in a message. Confined to one thread; no call allocates.
 */
public interface HandshakeMessageReader {
    /** Result of {@link #read}: nothing to do. */
    int NOTHING = 0;

    /** Result of {@link #read}: the peer has updated its keys. */
    int KEY_UPDATE = 1;

    /** Result of {@link #read}: the peer has updated its keys and requests an update of ours. */
    int KEY_UPDATE_REQUESTED = 2;

    /** Result of {@link #read}: the peer requests another handshake (TLS 1.2), to be declined. */
    int RENEGOTIATION = 3;

    /** Returns whether a message is incomplete. */
    boolean isInsideMessage();

    /** Returns the reason for which {@link #read} refused. */
    EndReason reason();

    /**
     * Reads the content of one record of type handshake.
     *
     * @return one of the results above, or the negated alert that ends the connection
     */
    int read(long content, int length);
}
