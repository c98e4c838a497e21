package dev.sluice.tls.context;

/** The kind of cipher that a client prefers in its ClientHello, which indicates whether its processor has AES. */
public enum ClientPreference {
    /** AES, or a legacy cipher. */
    AES,
    /** ChaCha20-Poly1305, preferred by clients without AES instructions, mainly phones and small devices. */
    CHACHA20,
    /** Unknown: the ClientHello is incomplete or malformed. */
    UNKNOWN;

    private static final int TLS_CHACHA20_POLY1305_SHA256 = 0x1303; // RFC 8446 appendix B.4
    private static final int FIRST_OF_TLS_1_2 = 0xCCA8; // RFC 7905: with ECDHE and RSA, ECDHE and ECDSA, DHE and RSA
    private static final int LAST_OF_TLS_1_2 = 0xCCAA;

    /**
     * Parses a received ClientHello; allocates nothing.
     *
     * @param address of the received bytes
     * @param length number of received bytes
     */
    public static ClientPreference of(long address, int length) {
        int first = ClientHelloPeek.firstSuite(address, length);
        if (first == ClientHelloPeek.NO_SUITE) {
            return UNKNOWN;
        }
        boolean chacha =
                first == TLS_CHACHA20_POLY1305_SHA256 || (first >= FIRST_OF_TLS_1_2 && first <= LAST_OF_TLS_1_2);
        return chacha ? CHACHA20 : AES;
    }
}
