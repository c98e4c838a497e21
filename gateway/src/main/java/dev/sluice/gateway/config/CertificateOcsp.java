package dev.sluice.gateway.config;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How one certificate comes to its OCSP responses.
 *
 * @param enabled whether any are stapled
 * @param responder who is asked; null: the responder that the certificate names
 * @param issuers PEM file that holds the issuer's certificate; null: it stands in the chain
 */
public record CertificateOcsp(
        boolean enabled, @Nullable URI responder, @Nullable Path issuers) {
    /** As the certificate says. */
    public static final CertificateOcsp DEFAULT = new CertificateOcsp(true, null, null);

    /** No responses. */
    public static final CertificateOcsp OFF = new CertificateOcsp(false, null, null);

    /** Who is asked about a certificate; null: nobody. */
    public @Nullable URI responderOf(KeyPairFiles pair) {
        if (!enabled) {
            return null;
        }
        return responder == null ? pair.revocation().responder() : responder;
    }
}
