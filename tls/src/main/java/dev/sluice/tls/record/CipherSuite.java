package dev.sluice.tls.record;

import org.jspecify.annotations.Nullable;

/** The supported cipher suites: those of TLS 1.3, and the AEAD suites of TLS 1.2. */
public enum CipherSuite {
    TLS_AES_128_GCM_SHA256(0x1301, Aead.AES_128_GCM, Hash.SHA_256),
    TLS_AES_256_GCM_SHA384(0x1302, Aead.AES_256_GCM, Hash.SHA_384),
    TLS_CHACHA20_POLY1305_SHA256(0x1303, Aead.CHACHA20_POLY1305, Hash.SHA_256),
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256(0xC02B, Aead.AES_128_GCM, Hash.SHA_256),
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384(0xC02C, Aead.AES_256_GCM, Hash.SHA_384),
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256(0xC02F, Aead.AES_128_GCM, Hash.SHA_256),
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384(0xC030, Aead.AES_256_GCM, Hash.SHA_384),
    TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256(0xCCA8, Aead.CHACHA20_POLY1305, Hash.SHA_256),
    TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256(0xCCA9, Aead.CHACHA20_POLY1305, Hash.SHA_256);

    private static final int TLS13_FIRST = 0x1301;
    private static final int TLS13_LAST = 0x1303;

    private final int id;
    private final Aead aead;
    private final Hash hash;

    CipherSuite(int id, Aead aead, Hash hash) {
        this.id = id;
        this.aead = aead;
        this.hash = hash;
    }

    /** Returns the suite's number in the IANA registry. */
    public int id() {
        return id;
    }

    /** Returns the cipher that protects its records. */
    public Aead aead() {
        return aead;
    }

    /** Returns the hash function of its key schedule. */
    public Hash hash() {
        return hash;
    }

    /** Returns whether it belongs to TLS 1.3. */
    public boolean isTls13() {
        return id >= TLS13_FIRST && id <= TLS13_LAST;
    }

    /** Returns the suite with an IANA name; null when it is not supported. */
    public static @Nullable CipherSuite byName(String ianaName) {
        for (CipherSuite suite : values()) {
            if (suite.name().equals(ianaName)) {
                return suite;
            }
        }
        return null;
    }
}
