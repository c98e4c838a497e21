package dev.sluice.tls;

/**
 * One side of a TLS conversation without a network: ours, or a foreign one. {@link #offer} supplies bytes and {@link
 * #takeOutput} returns them; nothing blocks.
 */
public interface Peer extends AutoCloseable {
    /** Continues the handshake as far as the offered bytes allow. */
    void handshake();

    /** Returns whether the handshake is complete. */
    boolean isEstablished();

    /** Returns the failure in the peer's own words; "" for none. */
    String failure();

    /** Encrypts all of it. */
    void write(byte[] plaintext);

    /** Returns all plaintext available from the offered bytes. */
    byte[] read();

    /** Returns whether the other side's close_notify arrived. */
    boolean sawCloseNotify();

    /** Sends close_notify. */
    void closeOutput();

    /** Returns the bytes sent since the last call. */
    byte[] takeOutput();

    /** Offers received bytes, which the peer reads at its next call. */
    void offer(byte[] bytes);

    /** Ends the stream. */
    void endOfStream();

    @Override
    void close();
}
