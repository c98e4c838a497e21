package dev.sluice.transfer.identity;

import java.util.Arrays;
import java.util.Base64;

/**
 * The name of a public key: the SHA-256 digest of its SubjectPublicKeyInfo in DER (RFC 5280 section 4.1). Its text is
 * {@code sha256:} and 43 characters of URL-safe base64.
 */
public final class KeyFingerprint {
    /** Size of the digest. */
    public static final int BYTES = 32;

    private static final String PREFIX = "sha256:";

    private final byte[] digest;

    private KeyFingerprint(byte[] digest) {
        this.digest = digest;
    }

    /**
     * Creates a fingerprint from its digest, which is copied.
     *
     * @throws IllegalArgumentException unless it has {@value #BYTES} bytes
     */
    public static KeyFingerprint of(byte[] digest) {
        if (digest.length != BYTES) {
            throw new IllegalArgumentException("a fingerprint has " + BYTES + " bytes, these are " + digest.length);
        }
        return new KeyFingerprint(digest.clone());
    }

    /**
     * Reads the text of a fingerprint.
     *
     * @throws IllegalArgumentException with the value and the remedy
     */
    public static KeyFingerprint parse(String text) {
        byte[] digest = new byte[0];
        if (text.startsWith(PREFIX)) {
            try {
                digest = Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
            } catch (IllegalArgumentException e) {
                digest = new byte[0];
            }
        }
        if (digest.length != BYTES) {
            throw new IllegalArgumentException("not a fingerprint: \"" + text + "\"; it is " + PREFIX
                    + " and 43 letters, digits, - or _, as the peer shows it");
        }
        return new KeyFingerprint(digest);
    }

    /** Returns a copy of the digest. */
    public byte[] digest() {
        return digest.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyFingerprint that && Arrays.equals(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }
}
