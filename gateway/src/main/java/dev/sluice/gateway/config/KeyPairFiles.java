package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.time.Instant;

/**
 * Where a certificate and its key are, and what the certificate says.
 *
 * @param chain PEM: the certificate, then what leads to the root
 * @param key PEM: the private key
 * @param keyType kind of key as the certificate names it: {@code EC}, {@code RSA}, {@code EdDSA}
 * @param notBefore the first moment of validity
 * @param notAfter the last moment of validity
 * @param revocation how clients learn that it was revoked
 */
public record KeyPairFiles(
        Path chain, Path key, String keyType, Instant notBefore, Instant notAfter, RevocationFacts revocation) {
    /** Of a certificate that says nothing of its revocation. */
    public KeyPairFiles(Path chain, Path key, String keyType, Instant notBefore, Instant notAfter) {
        this(chain, key, keyType, notBefore, notAfter, RevocationFacts.NONE);
    }
}
