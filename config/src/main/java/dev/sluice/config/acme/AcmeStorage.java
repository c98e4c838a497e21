package dev.sluice.config.acme;

import java.nio.file.Path;

/**
 * The files of the ACME client.
 *
 * @param directory for its owner only
 * @param sealKey a file whose first line encrypts the private keys; made when it is absent
 */
public record AcmeStorage(Path directory, Path sealKey) {
    /** Returns the file of a certificate, its chain and its encrypted private key. */
    public Path certificate(String name, AcmeKeyType type) {
        return directory.resolve(name + "." + type.word() + ".pem");
    }
}
