package dev.sluice.config.certificate;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a certificate and its private key.
 *
 * @param chain the certificate and its intermediates, in any order
 * @param key the private key; it may be the same file
 * @param pkcs12 true for one PKCS #12 file, false for PEM
 * @param passphrase a file whose first line decrypts the key; null: it is not encrypted
 */
public record CertificateFiles(
        Path chain, Path key, boolean pkcs12, @Nullable Path passphrase) {
    /** Returns all files, each once. */
    public Stream<Path> all() {
        return Stream.of(chain, key, passphrase == null ? chain : passphrase).distinct();
    }

    /** Returns files in PEM with an unencrypted key. */
    public static CertificateFiles pem(Path chain, Path key) {
        return new CertificateFiles(chain, key, false, null);
    }
}
