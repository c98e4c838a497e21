package dev.sluice.ffi.openssl.agreement;

import dev.sluice.ffi.openssl.OpenSslException;

/**
 * The server's side of an ephemeral key agreement in one group: creates a key pair, derives the secret with the
 * client's share and frees the pair, so that a share is used once (RFC 9846 section 4.3.8). With a key-encapsulation
 * group the share is the encapsulated secret.
 *
 * <p>Confined to one thread. Owns what agreements can share; {@link #close()} frees it.
 */
public interface KeyAgreement extends AutoCloseable {
    /** The forms of key agreement. */
    enum Kind {
        /** X25519: keys are byte strings (RFC 7748). */
        MONTGOMERY,
        /** Points of a curve, uncompressed (RFC 8446 section 4.2.8.2). */
        ELLIPTIC,
        /** X25519MLKEM768: the client's share is a public key of ML-KEM-768, and one of X25519. */
        HYBRID
    }

    /**
     * Creates an agreement.
     *
     * @param name OpenSSL's name of the curve, of an {@link Kind#ELLIPTIC} one
     * @throws OpenSslException when this OpenSSL lacks it
     */
    static KeyAgreement of(Kind kind, String name) {
        return switch (kind) {
            case MONTGOMERY -> new X25519Agreement();
            case ELLIPTIC -> new EllipticAgreement(name);
            case HYBRID -> new HybridAgreement();
        };
    }

    /**
     * Agrees on a secret with a client.
     *
     * @param peer the client's share, of {@code peerBytes} bytes
     * @param share destination of the server's share, with room for {@code shareBytes} bytes
     * @param secret destination of the secret, with room for {@code secretBytes} bytes; wiped by the caller
     * @return false when the client's share is unusable: not a point of the curve, of low order, or not a key
     * @throws OpenSslException when anything else fails
     */
    boolean agree(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes);

    /** Frees what agreements share. */
    @Override
    void close();
}
