package dev.sluice.config.certificate;

import java.nio.file.Path;
import java.util.List;

/**
 * The directories that are searched for certificates, and the files in use that cannot be served.
 *
 * @param directories directories to watch for more certificates
 * @param unusable files that cannot be served
 */
public record CertificateSources(List<Path> directories, List<UnusableCertificate> unusable) {
    /** No directories, and no unusable files. */
    public static final CertificateSources NONE = new CertificateSources(List.of(), List.of());

    /** Copies the lists. */
    public CertificateSources {
        directories = List.copyOf(directories);
        unusable = List.copyOf(unusable);
    }
}
