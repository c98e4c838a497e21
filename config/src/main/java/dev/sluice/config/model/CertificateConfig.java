package dev.sluice.config.model;

import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.certificate.KeyPairFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A certificate under one name, with one or several key types.
 *
 * @param name the name in the configuration; for a certificate in a directory, the entry's name and the file's
 * @param keyPairs at least one; at most one per key type (ECDSA, RSA, Ed25519)
 * @param serverNames the names in its subjectAltName
 * @param ocsp the source of its OCSP responses
 * @param acme the order by which it is issued; null: its files are the operator's
 */
public record CertificateConfig(
        String name,
        List<KeyPairFiles> keyPairs,
        List<ServerNamePattern> serverNames,
        CertificateOcsp ocsp,
        @Nullable AcmeConfig acme) {
    /** Copies the lists. */
    public CertificateConfig {
        keyPairs = List.copyOf(keyPairs);
        serverNames = List.copyOf(serverNames);
    }

    /** Creates a certificate that its files hold. */
    public CertificateConfig(
            String name, List<KeyPairFiles> keyPairs, List<ServerNamePattern> serverNames, CertificateOcsp ocsp) {
        this(name, keyPairs, serverNames, ocsp, null);
    }

    /** Creates a certificate with the OCSP responder that it names itself, if any. */
    public CertificateConfig(String name, List<KeyPairFiles> keyPairs, List<ServerNamePattern> serverNames) {
        this(name, keyPairs, serverNames, CertificateOcsp.DEFAULT);
    }
}
