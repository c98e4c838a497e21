package dev.sluice.tls;

import java.util.List;

/**
 * A certificate by which a peer has shown who it is, verified.
 *
 * @param subject RFC 2253 text
 * @param alternativeNames subject alternative names in their order, each behind its kind, such as {@code
 *     DNS:client.example}; not escaped
 * @param sha256 the SHA-256 digest of its DER form as 64 hexadecimal digits in lower case
 */
public record PeerCertificate(String subject, List<String> alternativeNames, String sha256) {
    /** Copies the list. */
    public PeerCertificate {
        alternativeNames = List.copyOf(alternativeNames);
    }
}
