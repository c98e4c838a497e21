package dev.sluice.bench.record.path;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.conscrypt.Conscrypt;

/**
 * A factory of Conscrypt's engines over the BoringSSL that it ships (conscrypt-openjdk-uber).
 *
 * <p>The suites of TLS 1.3 cannot be chosen. Those of TLS 1.2 stay enabled, although that version is not, since
 * Conscrypt picks the certificate by them.
 */
final class ConscryptEngines {
    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final SSLContext context;

    ConscryptEngines(Credentials credentials) {
        Conscrypt.checkAvailability();
        try {
            context = JdkEngines.context(credentials, SSLContext.getInstance("TLS", Conscrypt.newProvider()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("Conscrypt's TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Returns the version of Conscrypt, which does not report that of its BoringSSL. */
    static String version() {
        Conscrypt.checkAvailability();
        Conscrypt.Version version = Conscrypt.version();
        return "Conscrypt " + version.major() + "." + version.minor() + "." + version.patch() + ", BoringSSL";
    }

    SSLEngine engine(boolean client) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setEnabledProtocols(PROTOCOLS);
        return engine;
    }
}
