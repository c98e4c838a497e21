package dev.sluice.testkit;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate with its key, in memory and as PEM files.
 *
 * @param chainFile PEM: the certificate, then its intermediates, without the root
 * @param keyFile PEM: the private key, PKCS #8, unencrypted
 * @param chain the content of {@code chainFile}
 * @param key the content of {@code keyFile}
 */
public record Credential(Path chainFile, Path keyFile, List<X509Certificate> chain, PrivateKey key) {
    /** Returns the end-entity certificate. */
    public X509Certificate certificate() {
        return chain.getFirst();
    }
}
