package dev.sluice.config.certificate;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * The files of a certificate and its key, and facts from the certificate.
 *
 * @param files the files
 * @param keyType the key type as the certificate names it: {@code EC}, {@code RSA}, {@code EdDSA}
 * @param notBefore the first moment of validity
 * @param notAfter the last moment of validity
 * @param sha256 the certificate's fingerprint: 64 hexadecimal digits in pairs with colons; "" where it is not known
 * @param warnings oddities of the files, a sentence each
 * @param revocation the certificate's statements on its revocation
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

    /** Creates files in PEM, of a certificate without statements on its revocation. */
    public KeyPairFiles(Path chain, Path key, String keyType, Instant notBefore, Instant notAfter) {
        this(chain, key, keyType, notBefore, notAfter, RevocationFacts.NONE);
    }

    /** Creates files in PEM with an unencrypted key. */
    public KeyPairFiles(
            Path chain, Path key, String keyType, Instant notBefore, Instant notAfter, RevocationFacts revocation) {
        this(CertificateFiles.pem(chain, key), keyType, notBefore, notAfter, "", List.of(), revocation);
    }

    /** Returns the fingerprint of a certificate, in the form of {@link #sha256}. */
    public static String fingerprint(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("every JDK has SHA-256, and a decoded certificate can be encoded", e);
        }
    }

    /** Returns the file with the certificate. */
    public Path chain() {
        return files.chain();
    }

    /** Returns the file with the private key; it may be the same. */
    public Path key() {
        return files.key();
    }
}
