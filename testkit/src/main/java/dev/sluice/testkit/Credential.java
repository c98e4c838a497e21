package dev.sluice.testkit;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate with its key, in memory and as PEM files.
 *
 * @param chainFile PEM: the certificate, then the intermediates that lead to its root, root excluded
 * @param keyFile PEM: the private key, PKCS #8, not encrypted
 * @param chain what {@code chainFile} holds
 * @param key what {@code keyFile} holds
 */
public record Credential(Path chainFile, Path keyFile, List<X509Certificate> chain, PrivateKey key) {
    /** The end-entity certificate. */
    public X509Certificate certificate() {
        return chain.getFirst();
    }
}
