package dev.sluice.gateway.config;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the TLS library makes of a certificate's files.
 *
 * @param certificate the one that the key is for; null with a problem
 * @param warnings what is odd about the files, a sentence each
 * @param problem why they cannot be served: value, cause and remedy; null where they can
 */
public record CertificateFindings(
        @Nullable X509Certificate certificate,
        List<String> warnings,
        @Nullable String problem) {
    /** Copies the list. */
    public CertificateFindings {
        warnings = List.copyOf(warnings);
    }

    /** The kind of its key as the certificate names it; "" with a problem. */
    public String keyType() {
        return certificate == null ? "" : certificate.getPublicKey().getAlgorithm();
    }

    /** Files that can be served. */
    public static CertificateFindings of(X509Certificate certificate, List<String> warnings) {
        return new CertificateFindings(certificate, warnings, null);
    }

    /** Files that cannot. */
    public static CertificateFindings problem(String message) {
        return new CertificateFindings(null, List.of(), message);
    }
}
