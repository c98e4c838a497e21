package dev.sluice.bench.load;

import java.util.List;

/**
 * The TLS settings of every measurement. The client offers nothing else, so that no server's defaults (OpenSSL 3.5
 * prefers a post-quantum hybrid group, for example) change the work.
 */
public final class TlsProfile {
    /** Protocol version. */
    public static final String PROTOCOL = "TLSv1.3";

    /** Cipher suite. */
    public static final String SUITE = "TLS_AES_128_GCM_SHA256";

    /** The cipher suites of TLS 1.2 for either certificate; see ciphers(1). */
    public static final String SUITES_OF_TLS_1_2 = "ECDHE+AESGCM+AES128";

    /** Key-exchange group. */
    public static final String GROUP = "x25519";

    /** The groups of TLS 1.2, which must include the curve of an ECDSA key; servers prefer the first. */
    static final List<String> GROUPS_OF_TLS_1_2 = List.of(GROUP, "P-256");

    /** Signature scheme of an ECDSA key on P-256. */
    public static final String SIGNATURE = "ecdsa_secp256r1_sha256";

    private TlsProfile() {}

    /** Returns the settings for the table of facts. */
    public static String describe() {
        return String.join(", ", List.of(PROTOCOL, SUITE, GROUP, SIGNATURE));
    }
}
