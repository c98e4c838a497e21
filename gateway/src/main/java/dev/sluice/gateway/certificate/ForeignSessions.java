package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.SessionSharing;
import dev.sluice.gateway.outcome.GatewayStartException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session id contexts of other servers. OpenSSL writes a server's into each session, and resumes none that has
 * another: with the ticket keys alone a server opens another's tickets, and still makes a full handshake.
 */
final class ForeignSessions {
    private ForeignSessions() {}

    /**
     * Returns the session context that another kind of server uses with a certificate and without client
     * authentication; null when sessions are not shared.
     */
    static byte @Nullable [] context(
            SessionSharing sharing, List<KeyPairFiles> certificates, LoadedCertificates loaded) {
        return switch (sharing) {
            case NONE -> null;
            case NGINX -> ofNginx("HTTP", certificates, loaded);
            case NGINX_STREAM -> ofNginx("STREAM", certificates, loaded);
            case HAPROXY -> ascii("haproxy");
        };
    }

    /**
     * SHA-1 over the module's name and the SHA-1 of each certificate, the last one first, as
     * ngx_ssl_session_id_context() has it.
     */
    private static byte[] ofNginx(String module, List<KeyPairFiles> certificates, LoadedCertificates loaded) {
        try {
            MessageDigest context = MessageDigest.getInstance("SHA-1");
            context.update(ascii(module));
            for (KeyPairFiles pair : certificates.reversed()) {
                context.update(MessageDigest.getInstance("SHA-1").digest(leaf(pair, loaded)));
            }
            return context.digest();
        } catch (GeneralSecurityException e) {
            throw new GatewayStartException(
                    "sessions cannot be shared with nginx: " + e + "; see the certificate's file", e);
        }
    }

    private static byte[] leaf(KeyPairFiles pair, LoadedCertificates loaded) throws GeneralSecurityException {
        return IdentitySources.certificate(loaded.of(pair.files())).getEncoded();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
