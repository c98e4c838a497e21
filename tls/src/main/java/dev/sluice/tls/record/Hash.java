package dev.sluice.tls.record;

/** The hash functions of the key schedules. */
public enum Hash {
    /** SHA-256, 32 bytes. */
    SHA_256("SHA256", 32),
    /** SHA-384, 48 bytes. */
    SHA_384("SHA384", 48);

    /** Size of the longest secret. */
    public static final int MAX_BYTES = 48;

    private final String opensslName;
    private final int bytes;

    Hash(String opensslName, int bytes) {
        this.opensslName = opensslName;
        this.bytes = bytes;
    }

    /** Returns OpenSSL's name. */
    String opensslName() {
        return opensslName;
    }

    /** Returns the size of the output, which is also that of a traffic secret. */
    public int bytes() {
        return bytes;
    }
}
