package dev.sluice.tls.engine;

import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.tls.context.ContextSettings;
import org.jspecify.annotations.Nullable;

/**
 * The server that a client wants to reach.
 *
 * @param host DNS name or IP address that the server's certificate must be for; "" only without verification
 * @param session to resume; null for none
 */
record ClientTarget(String host, @Nullable TlsSession session) {
    /** Configures SNI, verification and resumption. */
    void applyTo(Ssl ssl, ContextSettings settings) {
        boolean verified = settings.verifyMode() != OpenSslConstants.SSL_VERIFY_NONE;
        if (host.isEmpty() && verified) {
            throw new IllegalArgumentException(
                    "a client that verifies its server needs a host name, host=\"\"; set the host");
        }
        if (session != null && !session.host().equals(host)) {
            throw new IllegalArgumentException(
                    "a session can only be resumed with its own host, session=" + session.host() + ", host=" + host);
        }
        if (isAddress()) {
            ssl.verifyAddress(host);
        } else if (!host.isEmpty()) {
            ssl.serverName(host);
            ssl.verifyHost(host);
        }
        if (session != null) {
            ssl.resume(session.handle());
        }
    }

    /** Returns the name to send as SNI; addresses are not sent (RFC 6066 section 3). */
    String serverName() {
        return isAddress() ? "" : host;
    }

    private boolean isAddress() {
        return host.indexOf(':') >= 0
                || (!host.isEmpty() && host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9')));
    }
}
