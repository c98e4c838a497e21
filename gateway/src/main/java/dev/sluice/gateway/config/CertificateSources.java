package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.List;

/**
 * What was found where certificates are looked for, besides those that are served.
 *
 * @param directories directories of certificates, where others may come to lie
 * @param unusable files that cannot be served as they are
 */
public record CertificateSources(List<Path> directories, List<UnusableCertificate> unusable) {
    /** No directories, and nothing wrong. */
    public static final CertificateSources NONE = new CertificateSources(List.of(), List.of());

    /** Copies the lists. */
    public CertificateSources {
        directories = List.copyOf(directories);
        unusable = List.copyOf(unusable);
    }
}
