package dev.sluice.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a certificate, what leads to its root, and its private key come from: read when an {@link Identity} is loaded.
 *
 * @param format how they are written
 * @param certificates the certificate and those that lead to its root, in any order
 * @param key the private key; with {@link Format#PKCS12} the same as {@code certificates}
 * @param passphrase a text whose first line opens the key; null where it is not encrypted
 */
public record IdentitySource(
        Format format,
        PemSource certificates,
        PemSource key,
        @Nullable PemSource passphrase) {
    /** How a certificate and its key are written. */
    public enum Format {
        /** PEM texts, or one with both in it. */
        PEM,
        /** PKCS #12 (RFC 7292): one binary file, encrypted as a rule. */
        PKCS12
    }

    /** From PEM texts; both may be the same. */
    public static IdentitySource pem(PemSource certificates, PemSource key) {
        return new IdentitySource(Format.PEM, certificates, key, null);
    }

    /** From PEM files; both may be the same. */
    public static IdentitySource pem(Path certificates, Path key) {
        return pem(PemSource.file(certificates), PemSource.file(key));
    }

    /** From a PKCS #12 file. */
    public static IdentitySource pkcs12(Path file) {
        PemSource source = PemSource.file(file);
        return new IdentitySource(Format.PKCS12, source, source, null);
    }

    /** The same, encrypted: the first line of a file opens it. */
    public IdentitySource withPassphrase(@Nullable Path file) {
        return new IdentitySource(format, certificates, key, file == null ? null : PemSource.file(file));
    }

    /**
     * Opens the key, and whatever stands with it.
     *
     * @throws TlsConfigurationException naming value, cause and remedy
     */
    KeyMaterial open() {
        return format == Format.PEM ? KeyMaterial.ofPem(this) : KeyMaterial.ofPkcs12(this);
    }

    /** The passphrase, or none; the caller closes it. */
    SecretBytes readPassphrase() {
        if (passphrase == null) {
            return SecretBytes.none();
        }
        SecretBytes read = passphrase.readAny("passphrase").firstLine();
        if (read.isEmpty()) {
            read.close();
            throw new TlsConfigurationException("passphrase is empty: " + passphrase
                    + " has nothing in its first line; write the passphrase there");
        }
        return read;
    }

    @Override
    public String toString() {
        return certificates.name();
    }
}
