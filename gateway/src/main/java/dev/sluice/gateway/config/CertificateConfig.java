package dev.sluice.gateway.config;

import java.util.List;

/**
 * A certificate under one name, in one or several kinds of key side by side.
 *
 * @param name its name in the configuration; of one in a directory, that of the directory's entry and of its file
 * @param keyPairs at least one; at most one per kind of key (ECDSA, RSA, Ed25519)
 * @param serverNames the names that it is valid for, from its subjectAltName
 * @param ocsp how it comes to its OCSP responses
 */
public record CertificateConfig(
        String name, List<KeyPairFiles> keyPairs, List<ServerNamePattern> serverNames, CertificateOcsp ocsp) {
    /** Copies the lists. */
    public CertificateConfig {
        keyPairs = List.copyOf(keyPairs);
        serverNames = List.copyOf(serverNames);
    }

    /** With the OCSP responder that it names itself, if any. */
    public CertificateConfig(String name, List<KeyPairFiles> keyPairs, List<ServerNamePattern> serverNames) {
        this(name, keyPairs, serverNames, CertificateOcsp.DEFAULT);
    }
}
