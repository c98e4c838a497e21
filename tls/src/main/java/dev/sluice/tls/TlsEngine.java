package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * One TLS connection's protocol machine. Confined to one thread; {@link #close()} frees its native state there and then.
 *
 * <p>Results are ints: bytes moved, or an {@link EngineStatus}. Addresses are native and belong to the caller. No
 * plaintext is handed out before its record's tag is verified.
 */
public interface TlsEngine extends AutoCloseable {
    /** Where the connection stands. */
    EngineState state();

    /**
     * Goes on with the handshake as far as the bytes at hand allow.
     *
     * @return {@link EngineStatus#DONE} when the handshake is complete, WANT_READ, WANT_WRITE or FAILED
     */
    int handshake();

    /**
     * Decrypts into the caller's memory.
     *
     * @param address where the plaintext goes
     * @param capacity room there, in bytes, at least 1
     * @return bytes of plaintext, or WANT_READ, WANT_WRITE, CLOSED (close_notify came) or FAILED (truncation included)
     */
    int read(long address, int capacity);

    /**
     * Encrypts from the caller's memory, which is free again on return for the bytes that were taken.
     *
     * @return bytes taken, which may be fewer than {@code length}; WANT_WRITE when the peer must drain first: call again
     *     later with at least the same bytes; WANT_READ, or FAILED
     */
    int write(long address, int length);

    /**
     * Sends close_notify: nothing can be written after it; reading goes on until the peer's.
     *
     * @return DONE when close_notify has been handed to the transport side, WANT_WRITE when it waits, FAILED
     */
    int closeOutput();

    /** Whether {@link #read} may return plaintext without new bytes from the peer; if not, it returns WANT_READ. */
    boolean hasPendingPlaintext();

    /** What the handshake came to; null before it is complete. */
    @Nullable
    HandshakeInfo handshakeInfo();

    /**
     * A client's session, to resume later. In TLS 1.3 it comes with the first bytes after the handshake.
     *
     * @return the caller closes it; null when the server has given none yet
     */
    @Nullable
    TlsSession session();

    /** Why the engine is in {@link EngineState#FAILED}; null otherwise. */
    @Nullable
    TlsFailure failure();

    /** Frees all native state of the connection. May be called in any state, and again without effect. */
    @Override
    void close();
}
