package dev.sluice.tls.certificate;

import dev.sluice.tls.failure.TlsConfigurationException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The source of a certificate, its chain and its private key; read when an {@link Identity} is loaded.
 *
 * @param format the file format
 * @param certificates the certificate and its chain, in any order
 * @param key the private key; with {@link Format#PKCS12} the same as {@code certificates}
 * @param passphrase a text whose first line is the passphrase; null for an unencrypted key
 */
public record IdentitySource(
        Format format,
        PemSource certificates,
        PemSource key,
        @Nullable PemSource passphrase) {
    /** The file formats of a certificate and its key. */
    public enum Format {
        /** PEM texts, or one text with both. */
        PEM,
        /** PKCS #12 (RFC 7292): one binary file, usually encrypted. */
        PKCS12
    }

    /** Creates a source from PEM texts; both may be the same. */
    public static IdentitySource pem(PemSource certificates, PemSource key) {
        return new IdentitySource(Format.PEM, certificates, key, null);
    }

    /** Creates a source from PEM files; both may be the same. */
    public static IdentitySource pem(Path certificates, Path key) {
        return pem(PemSource.file(certificates), PemSource.file(key));
    }

    /** Creates a source from a PKCS #12 file. */
    public static IdentitySource pkcs12(Path file) {
        PemSource source = PemSource.file(file);
        return new IdentitySource(Format.PKCS12, source, source, null);
    }

    /** Returns the same source with a passphrase: the first line of a file. */
    public IdentitySource withPassphrase(@Nullable Path file) {
        return new IdentitySource(format, certificates, key, file == null ? null : PemSource.file(file));
    }

    /**
     * Reads the key and its certificates.
     *
     * @throws TlsConfigurationException with value, cause and remedy
     */
    KeyMaterial open() {
        return format == Format.PEM ? KeyMaterial.ofPem(this) : KeyMaterial.ofPkcs12(this);
    }

    /** Reads the passphrase, or none; the caller closes it. */
    SecretBytes readPassphrase() {
        if (passphrase == null) {
            return SecretBytes.none();
        }
        SecretBytes read = passphrase.readAny("passphrase").firstLine();
        if (read.isEmpty()) {
            read.close();
            throw new TlsConfigurationException(
                    "passphrase is empty: the first line of " + passphrase + " is blank; write the passphrase there");
        }
        return read;
    }

    @Override
    public String toString() {
        return certificates.name();
    }
}
