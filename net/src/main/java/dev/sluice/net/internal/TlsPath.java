package dev.sluice.net.internal;

import dev.sluice.memory.Slab;

/**
 * How a {@link TlsStream}'s bytes get from the socket to its handler and back. None of these calls the handler from
 * inside: that happens in later turns.
 */
interface TlsPath {
    /** Receiving was switched on. */
    void startReceiving();

    /** Receiving was switched off. */
    void stopReceiving();

    /** Takes a slab of plaintext over, to be sent. */
    void send(Slab buffer);

    /** Bytes that wait to be sent. */
    long queuedBytes();

    /** Ends our side, once what waits has been sent. */
    void shutdownOutput();

    /** The stream's phase has become CLOSING: sends what waits, and close_notify, then calls {@link TlsStream#end()}. */
    void close();

    /** The socket received a buffer, the path's now. */
    void onReceived(Slab buffer);

    /** The socket met the peer's FIN. */
    void onEndOfStream();

    /** The socket has sent some of what {@link #send} led to. */
    void onSent();

    /** Nothing uses the socket any more: frees what the path holds. */
    void release();
}
