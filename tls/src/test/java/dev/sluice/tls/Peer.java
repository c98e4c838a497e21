package dev.sluice.tls;

/**
 * One side of a TLS conversation without a network: ours, or a foreign one. Bytes go in by {@link #offer} and come out by
 * {@link #takeOutput}; nothing blocks.
 */
interface Peer extends AutoCloseable {
    /** Goes on with the handshake as far as what was offered allows. */
    void handshake();

    /** Whether the handshake is complete. */
    boolean isEstablished();

    /** Why it broke, as the peer names it; "" when it did not. */
    String failure();

    /** Encrypts all of it. */
    void write(byte[] plaintext);

    /** All plaintext that can be had from what was offered. */
    byte[] read();

    /** Whether the other side's close_notify came. */
    boolean sawCloseNotify();

    /** Sends close_notify. */
    void closeOutput();

    /** What it has put on the wire since asked last. */
    byte[] takeOutput();

    /** What came from the wire; taken in when the peer is next called. */
    void offer(byte[] bytes);

    /** The wire's end. */
    void endOfStream();

    @Override
    void close();
}
