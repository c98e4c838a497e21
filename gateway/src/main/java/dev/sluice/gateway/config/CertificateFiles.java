package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a certificate and its private key are.
 *
 * @param chain the certificate and what leads to its root, in any order
 * @param key the private key; it may be the same file
 * @param pkcs12 whether it is one PKCS #12 file; else PEM
 * @param passphrase a file whose first line opens the key; null where it is not encrypted
 */
public record CertificateFiles(
        Path chain, Path key, boolean pkcs12, @Nullable Path passphrase) {
    /** All of them. */
    public Stream<Path> all() {
        return Stream.of(chain, key, passphrase == null ? chain : passphrase).distinct();
    }

    /** In PEM, nothing encrypted. */
    public static CertificateFiles pem(Path chain, Path key) {
        return new CertificateFiles(chain, key, false, null);
    }
}
