package dev.sluice.gateway.challenge;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The answer to one challenge.
 *
 * @param kind the way in which it is asked for
 * @param name the name that is checked, in lower case
 * @param token the server's
 * @param authorization the token with the thumbprint of the account's key, RFC 8555 section 8.1; no secret
 */
public record ChallengeAnswer(Kind kind, String name, String token, String authorization) {
    /** The protocol of ALPN by which a server asks: RFC 8737 section 3. */
    public static final String PROTOCOL = "acme-tls/1";

    /** The ways in which a connection asks for an answer. */
    public enum Kind {
        /** A handshake: TLS-ALPN-01. */
        HANDSHAKE,
        /** A request of plain HTTP: HTTP-01. */
        REQUEST
    }

    /**
     * Makes the context that answers a handshake.
     *
     * @return the caller closes it
     */
    public SharedContext context() {
        try (Identity identity = identity()) {
            return TlsContext.server()
                    .virtualHost("challenge for " + name)
                    .certificate(identity)
                    .alpnRequired(List.of(PROTOCOL))
                    .sessionTickets(0)
                    .build();
        }
    }

    private Identity identity() {
        EvpPkey key = EvpPkey.generateElliptic("P-256");
        X509 certificate;
        try {
            certificate = SelfSignedCertificate.challenge(key, name, digest());
        } catch (Throwable e) {
            key.close();
            throw e;
        }
        return Identity.selfSigned("challenge for " + name, certificate, key);
    }

    private byte[] digest() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(authorization.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
