package dev.sluice.tls.record;

/** The AEAD ciphers of TLS 1.3 and of the supported TLS 1.2 suites. All tags have 16 bytes. */
public enum Aead {
    /** RFC 5116 section 5.1. */
    AES_128_GCM("AES-128-GCM", 16, Aead.GCM_RECORD_LIMIT),
    /** RFC 5116 section 5.2. */
    AES_256_GCM("AES-256-GCM", 32, Aead.GCM_RECORD_LIMIT),
    /** RFC 8439; its limit exceeds the sequence numbers (RFC 8446 section 5.5). */
    CHACHA20_POLY1305("ChaCha20-Poly1305", 32, Long.MAX_VALUE);

    /** Size of the authentication tag. */
    public static final int TAG_BYTES = 16;

    /** Size of the nonce. */
    public static final int NONCE_BYTES = 12;

    /** Size of the longest key. */
    public static final int MAX_KEY_BYTES = 32;

    /** 2^24.5 records under one key: RFC 8446 section 5.5. */
    private static final long GCM_RECORD_LIMIT = 23_726_566L;

    private final String opensslName;
    private final int keyBytes;
    private final long recordLimit;

    Aead(String opensslName, int keyBytes, long recordLimit) {
        this.opensslName = opensslName;
        this.keyBytes = keyBytes;
        this.recordLimit = recordLimit;
    }

    /** Returns OpenSSL's name for EVP_CIPHER_fetch. */
    public String opensslName() {
        return opensslName;
    }

    /** Returns the size of the key. */
    int keyBytes() {
        return keyBytes;
    }

    /** Returns the number of full records that one key may seal: RFC 8446 section 5.5. */
    public long recordLimit() {
        return recordLimit;
    }
}
