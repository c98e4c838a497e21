package dev.sluice.tls.engine;

import dev.sluice.tls.failure.TlsFailure;
import org.jspecify.annotations.Nullable;

/**
 * The protocol engine of one TLS connection. Confined to one thread; {@link #close()} frees its native state
 * immediately.
 *
 * <p>Results are ints: bytes moved, or an {@link EngineStatus}. Addresses are native and belong to the caller. No
 * plaintext is delivered before its record's tag is verified.
 */
public interface TlsEngine extends AutoCloseable {
    /** Returns the state of the connection. */
    EngineState state();

    /**
     * Continues the handshake as far as the received bytes allow.
     *
     * @return {@link EngineStatus#DONE} when the handshake is complete, WANT_READ, WANT_WRITE or FAILED
     */
    int handshake();

    /**
     * Decrypts into the caller's memory.
     *
     * @param address destination of the plaintext
     * @param capacity capacity of the destination in bytes, at least 1
     * @return bytes of plaintext, or WANT_READ, WANT_WRITE, CLOSED (after close_notify) or FAILED (including
     *     truncation)
     */
    int read(long address, int capacity);

    /**
     * Encrypts from the caller's memory; accepted bytes may be overwritten on return.
     *
     * @return bytes accepted, possibly fewer than {@code length}; WANT_WRITE when the peer must read first: repeat the
     *     call later with at least the same bytes; WANT_READ, or FAILED
     */
    int write(long address, int length);

    /**
     * Sends close_notify: no write is possible after it; reading continues until the peer's.
     *
     * @return DONE when close_notify was passed to the transport side, WANT_WRITE when it waits, FAILED
     */
    int closeOutput();

    /**
     * Returns whether {@link #read} may return plaintext without new bytes from the peer; if false, it returns
     * WANT_READ.
     */
    boolean hasPendingPlaintext();

    /** Returns the result of the handshake; null before it is complete. */
    @Nullable
    HandshakeInfo handshakeInfo();

    /**
     * Returns a client's session for later resumption. In TLS 1.3 it arrives with the first bytes after the handshake.
     *
     * @return the caller closes it; null when the server has not sent one yet
     */
    @Nullable
    TlsSession session();

    /** Returns the failure in {@link EngineState#FAILED}; null otherwise. */
    @Nullable
    TlsFailure failure();

    /** Frees all native state of the connection. May be called in any state. Idempotent. */
    @Override
    void close();
}
