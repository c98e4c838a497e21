package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.List;

/**
 * A certificate under one name, in one or several kinds of key side by side.
 *
 * @param name its name in the configuration; of one in a directory, that of the directory's entry and of its file
 * @param keyPairs at least one; at most one per kind of key (ECDSA, RSA, Ed25519)
 * @param serverNames the names that it is valid for, from its subjectAltName
 * @param ocsp how it comes to its OCSP responses
 * @param directories where another certificate may come to lie beside it; the first one of a directory tells
 */
public record CertificateConfig(
        String name,
        List<KeyPairFiles> keyPairs,
        List<ServerNamePattern> serverNames,
        CertificateOcsp ocsp,
        List<Path> directories) {
    /** Not in a directory. */
    public CertificateConfig(
            String name, List<KeyPairFiles> keyPairs, List<ServerNamePattern> serverNames, CertificateOcsp ocsp) {
        this(name, keyPairs, serverNames, ocsp, List.of());
    }

    /** Copies the lists. */
    public CertificateConfig {
        keyPairs = List.copyOf(keyPairs);
        serverNames = List.copyOf(serverNames);
        directories = List.copyOf(directories);
    }

    /** With the OCSP responder that it names itself, if any. */
    public CertificateConfig(String name, List<KeyPairFiles> keyPairs, List<ServerNamePattern> serverNames) {
        this(name, keyPairs, serverNames, CertificateOcsp.DEFAULT);
    }

    /** The same as the first one of directories. */
    CertificateConfig in(List<Path> newDirectories) {
        return new CertificateConfig(name, keyPairs, serverNames, ocsp, newDirectories);
    }
}
