package dev.sluice.config.certificate;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The source of a certificate's OCSP responses.
 *
 * @param enabled true to staple responses
 * @param responder the responder to query; null: the one that the certificate names
 * @param issuers PEM file with the issuer's certificate; null: it is in the chain
 */
public record CertificateOcsp(
        boolean enabled, @Nullable URI responder, @Nullable Path issuers) {
    /** The responder that the certificate names. */
    public static final CertificateOcsp DEFAULT = new CertificateOcsp(true, null, null);

    /** No responses. */
    public static final CertificateOcsp OFF = new CertificateOcsp(false, null, null);

    /** Returns the responder to query about a certificate; null: none. */
    public @Nullable URI responderOf(KeyPairFiles pair) {
        if (!enabled) {
            return null;
        }
        return responder == null ? pair.revocation().responder() : responder;
    }
}
