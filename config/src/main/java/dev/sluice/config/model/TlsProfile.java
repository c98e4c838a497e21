package dev.sluice.config.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The profiles of Mozilla's "Server Side TLS", version 6.0: the TLS settings that a listener leaves open. Suites and
 * groups are in its order. Unlike it, the server's order of suites decides, except for clients that put ChaCha20 first.
 */
public enum TlsProfile {
    /** TLS 1.3 alone, for recent clients. */
    MODERN(TlsVersion.TLS_1_3),
    /** TLS 1.2 too, with forward secrecy and AEAD, for nearly all clients. */
    INTERMEDIATE(TlsVersion.TLS_1_2);

    private static final List<String> TLS_1_3_SUITES =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    private static final List<String> TLS_1_2_SUITES = List.of(
            "ECDHE-ECDSA-AES128-GCM-SHA256",
            "ECDHE-RSA-AES128-GCM-SHA256",
            "ECDHE-ECDSA-AES256-GCM-SHA384",
            "ECDHE-RSA-AES256-GCM-SHA384",
            "ECDHE-ECDSA-CHACHA20-POLY1305",
            "ECDHE-RSA-CHACHA20-POLY1305");

    /** The groups in order of preference; one that OpenSSL lacks is skipped. */
    private static final List<String> GROUPS = List.of("X25519MLKEM768", "X25519", "P-256", "P-384");

    private final TlsVersion minVersion;

    TlsProfile(TlsVersion minVersion) {
        this.minVersion = minVersion;
    }

    /** Returns the oldest version accepted. */
    TlsVersion minVersion() {
        return minVersion;
    }

    /** Returns the suites in order of preference: those of TLS 1.3, then those of TLS 1.2. */
    List<String> ciphers() {
        return minVersion == TlsVersion.TLS_1_3
                ? TLS_1_3_SUITES
                : Stream.concat(TLS_1_3_SUITES.stream(), TLS_1_2_SUITES.stream())
                        .toList();
    }

    /** Returns the key-exchange groups in order of preference. */
    List<String> groups() {
        return GROUPS;
    }
}
