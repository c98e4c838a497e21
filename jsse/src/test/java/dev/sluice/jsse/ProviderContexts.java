package dev.sluice.jsse;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Contexts of this provider and of the JDK's, with the certificates of the tests. */
final class ProviderContexts {
    private static final char[] NO_PASSWORD = {};
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();

    private ProviderContexts() {}

    /** The providers of a connection's two sides. */
    enum Tls {
        SLUICE,
        JDK;

        private Provider provider() {
            return this == SLUICE ? Sluice.provider() : Security.getProvider("SunJSSE");
        }

        SSLContext context(KeyManager @Nullable [] keys, TrustManager[] trust) {
            try {
                SSLContext context = SSLContext.getInstance("TLS", provider());
                context.init(keys, trust, null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new AssertionError("no context of " + this, e);
            }
        }

        /** Returns a context with the tests' authority and a certificate; null for none. */
        SSLContext context(@Nullable Credential credential) {
            return context(keyManagers(credential), trustManagers(CERTIFICATES.rootCertificate()));
        }
    }

    static KeyManager[] keyManagers(@Nullable Credential credential) {
        return keyManagers(credential == null ? List.of() : List.of(credential));
    }

    static KeyManager[] keyManagers(List<Credential> credentials) {
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            for (Credential each : credentials) {
                Certificate[] chain = each.chain().toArray(Certificate[]::new);
                keys.setKeyEntry("own-" + keys.size(), each.key(), NO_PASSWORD, chain);
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(keys, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError("no key managers", e);
        }
    }

    static TrustManager[] trustManagers(X509Certificate root) {
        try {
            KeyStore trust = KeyStore.getInstance("PKCS12");
            trust.load(null, null);
            trust.setCertificateEntry("root", root);
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(trust);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError("no trust managers", e);
        }
    }

    static SSLEngine client(SSLContext context) {
        SSLEngine engine = context.createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        return engine;
    }

    static SSLEngine server(SSLContext context) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        return engine;
    }
}
