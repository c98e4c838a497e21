package dev.sluice.tls.certificate;

import java.util.List;

/**
 * The verified certificate of a peer.
 *
 * @param subject RFC 2253 text
 * @param alternativeNames subject alternative names in order, each prefixed with its kind, such as {@code
 *     DNS:client.example}; not escaped
 * @param sha256 the SHA-256 digest of its DER form as 64 hexadecimal digits in lower case
 */
public record PeerCertificate(String subject, List<String> alternativeNames, String sha256) {
    /** Copies the list. */
    public PeerCertificate {
        alternativeNames = List.copyOf(alternativeNames);
    }
}
