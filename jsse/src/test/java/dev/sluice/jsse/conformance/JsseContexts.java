package dev.sluice.jsse.conformance;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.EnumMap;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Contexts and managers. The shared contexts serve cases that change nothing of a context. Thread-safe. */
final class JsseContexts {
    static final TestCertificates AUTHORITY = TestCertificates.shared();

    private static final char[] PASSWORD = "password".toCharArray();
    private static final Map<JsseProvider, SSLContext> CLIENTS = new EnumMap<>(JsseProvider.class);
    private static final Map<JsseProvider, SSLContext> SERVERS = new EnumMap<>(JsseProvider.class);

    private JsseContexts() {}

    /** Returns the shared context of clients that trust the test authority and have no certificate. */
    static synchronized SSLContext client(JsseProvider provider) {
        return CLIENTS.computeIfAbsent(provider, JsseContexts::newClient);
    }

    /** Returns the shared context of servers: an ECDSA certificate for localhost. */
    static synchronized SSLContext server(JsseProvider provider) {
        return SERVERS.computeIfAbsent(provider, JsseContexts::newServer);
    }

    /** Creates a context of clients of its own, with empty caches. */
    static SSLContext newClient(JsseProvider provider) {
        return provider.context(new KeyManager[0], trust());
    }

    /** Creates a context of clients with certificates. */
    static SSLContext newClient(JsseProvider provider, Credential... credentials) {
        return provider.context(keys(credentials), trust());
    }

    /** Creates a context of clients with a trust manager. */
    static SSLContext newClient(JsseProvider provider, TrustManager trust) {
        return provider.context(new KeyManager[0], new TrustManager[] {trust});
    }

    /** Creates a context of servers of its own, with empty caches. */
    static SSLContext newServer(JsseProvider provider) {
        return newServer(provider, AUTHORITY.server());
    }

    /** Creates a context of servers with certificates. */
    static SSLContext newServer(JsseProvider provider, Credential... credentials) {
        return provider.context(keys(credentials), trust());
    }

    /** Returns key managers with these certificates. */
    static KeyManager[] keys(Credential... credentials) {
        try {
            KeyStore store = emptyStore();
            for (int i = 0; i < credentials.length; i++) {
                Credential credential = credentials[i];
                store.setKeyEntry(
                        "key" + i,
                        credential.key(),
                        PASSWORD,
                        credential.chain().toArray(new X509Certificate[0]));
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JDK makes no key managers", e);
        }
    }

    /** Returns the JDK's key manager with these certificates. */
    static X509ExtendedKeyManager keyManager(Credential... credentials) {
        return (X509ExtendedKeyManager) keys(credentials)[0];
    }

    /** Returns trust managers that trust the test authority alone. */
    static TrustManager[] trust() {
        return trust(AUTHORITY);
    }

    /** Returns trust managers that trust an authority alone. */
    static TrustManager[] trust(TestCertificates authority) {
        try {
            KeyStore store = emptyStore();
            store.setCertificateEntry("root", authority.rootCertificate());
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JDK makes no trust managers", e);
        }
    }

    /** Returns the JDK's trust manager that trusts the test authority alone. */
    static X509ExtendedTrustManager trustManager() {
        return (X509ExtendedTrustManager) trust()[0];
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
