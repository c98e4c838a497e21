package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * Where a certificate and its key are, and what the certificate says.
 *
 * @param files where they are
 * @param keyType kind of key as the certificate names it: {@code EC}, {@code RSA}, {@code EdDSA}
 * @param notBefore the first moment of validity
 * @param notAfter the last moment of validity
 * @param sha256 the certificate's fingerprint: 64 hexadecimal digits in pairs with colons; "" where nobody has looked
 * @param warnings what is odd about the files, a sentence each
 * @param revocation how clients learn that it was revoked
 */
public record KeyPairFiles(
        CertificateFiles files,
        String keyType,
        Instant notBefore,
        Instant notAfter,
        String sha256,
        List<String> warnings,
        RevocationFacts revocation) {
    /** Copies the list. */
    public KeyPairFiles {
        warnings = List.copyOf(warnings);
    }

    /** In PEM, of a certificate that says nothing of its revocation. */
    public KeyPairFiles(Path chain, Path key, String keyType, Instant notBefore, Instant notAfter) {
        this(chain, key, keyType, notBefore, notAfter, RevocationFacts.NONE);
    }

    /** In PEM, nothing encrypted, nothing odd. */
    public KeyPairFiles(
            Path chain, Path key, String keyType, Instant notBefore, Instant notAfter, RevocationFacts revocation) {
        this(CertificateFiles.pem(chain, key), keyType, notBefore, notAfter, "", List.of(), revocation);
    }

    /** The fingerprint of a certificate, as {@link #sha256} has it. */
    public static String fingerprint(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("every JDK has SHA-256, and what was decoded encodes", e);
        }
    }

    /** The file with the certificate. */
    public Path chain() {
        return files.chain();
    }

    /** The file with the private key; it may be the same. */
    public Path key() {
        return files.key();
    }
}
