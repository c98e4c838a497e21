package dev.sluice.config.certificate;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TLS library's findings on the files of a certificate.
 *
 * @param certificate the certificate that the key belongs to; null with a problem
 * @param warnings oddities of the files, a sentence each
 * @param problem the reason why they cannot be served: value, cause and remedy; null: they can
 */
public record CertificateFindings(
        @Nullable X509Certificate certificate,
        List<String> warnings,
        @Nullable String problem) {
    /** Copies the list. */
    public CertificateFindings {
        warnings = List.copyOf(warnings);
    }

    /** Returns the key type as the certificate names it; "" with a problem. */
    public String keyType() {
        return certificate == null ? "" : certificate.getPublicKey().getAlgorithm();
    }

    /** Returns findings on files that can be served. */
    public static CertificateFindings of(X509Certificate certificate, List<String> warnings) {
        return new CertificateFindings(certificate, warnings, null);
    }

    /** Returns findings on files that cannot be served. */
    public static CertificateFindings problem(String message) {
        return new CertificateFindings(null, List.of(), message);
    }
}
