package dev.sluice.ffi.openssl.agreement;

/**
 * The hybrid agreement X25519MLKEM768 (draft-ietf-tls-ecdhe-mlkem section 3), of its two parts, so that X25519 is the
 * fastest of this process.
 *
 * <pre>
 *   client's share: | ML-KEM-768 key, 1184      | X25519, 32 |
 *   server's share: | encapsulated secret, 1088 | X25519, 32 |
 *   secret:         | of ML-KEM, 32             | X25519, 32 |
 * </pre>
 */
final class HybridAgreement implements KeyAgreement {
    private static final int KEY_BYTES = 1184;
    private static final int ENCAPSULATED_BYTES = 1088;
    private static final int SECRET_BYTES = 32;
    private static final int X25519_BYTES = 32;

    private final EncapsulatedAgreement encapsulation = new EncapsulatedAgreement("ML-KEM-768");
    private final X25519Agreement exchange;

    HybridAgreement() {
        try {
            exchange = new X25519Agreement();
        } catch (Throwable t) {
            encapsulation.close();
            throw t;
        }
    }

    @Override
    public boolean agree(long peer, int peerBytes, long share, int shareBytes, long secret, int secretBytes) {
        return peerBytes == KEY_BYTES + X25519_BYTES
                && shareBytes == ENCAPSULATED_BYTES + X25519_BYTES
                && secretBytes == SECRET_BYTES + X25519_BYTES
                && encapsulation.agree(peer, KEY_BYTES, share, ENCAPSULATED_BYTES, secret, SECRET_BYTES)
                && exchange.agree(
                        peer + KEY_BYTES,
                        X25519_BYTES,
                        share + ENCAPSULATED_BYTES,
                        X25519_BYTES,
                        secret + SECRET_BYTES,
                        X25519_BYTES);
    }

    @Override
    public void close() {
        exchange.close();
        encapsulation.close();
    }
}
