package dev.sluice.config.acme;

import java.nio.file.Path;

/**
 * The files of the ACME client.
 *
 * @param directory for its owner only
 * @param sealKey a file whose first line encrypts the private keys; made when it is absent
 * @param sharing the gateways that share what is in the files
 */
public record AcmeStorage(Path directory, Path sealKey, AcmeSharing sharing) {
    /** Creates the files of gateways that share a directory at most. */
    public AcmeStorage(Path directory, Path sealKey) {
        this(directory, sealKey, AcmeSharing.LOCAL);
    }

    /** Returns the file of a certificate, its chain and its encrypted private key. */
    public Path certificate(String name, AcmeKeyType type) {
        return directory.resolve(name + "." + type.word() + ".pem");
    }
}
