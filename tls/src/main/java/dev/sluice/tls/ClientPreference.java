package dev.sluice.tls;

import java.util.Locale;

/** Which kind of cipher a client puts first in its ClientHello: what tells whether its processor has AES. */
public enum ClientPreference {
    /** AES, or one of the old ciphers that hardly anybody has left. */
    AES,
    /** ChaCha20-Poly1305, as clients do that must do AES in software: phones and small devices above all. */
    CHACHA20,
    /** Not told: the ClientHello is not all there yet, or malformed. */
    UNKNOWN;

    private static final int TLS_CHACHA20_POLY1305_SHA256 = 0x1303; // RFC 8446 appendix B.4
    private static final int FIRST_OF_TLS_1_2 = 0xCCA8; // RFC 7905: with ECDHE and RSA, ECDHE and ECDSA, DHE and RSA
    private static final int LAST_OF_TLS_1_2 = 0xCCAA;

    private final String label = name().toLowerCase(Locale.ROOT);

    /**
     * Looks at a ClientHello as it came; allocates nothing.
     *
     * @param address of what was received
     * @param length how much that is
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

    /** For metrics, such as {@code chacha20}. */
    public String label() {
        return label;
    }
}
