package dev.sluice.jsse.socket;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Contexts with credentials of the test authority; equal requests return the same context. */
final class SocketContexts {
    private static final TestCertificates OTHER_AUTHORITY = new TestCertificates();
    private static final Map<String, SSLContext> CONTEXTS = new ConcurrentHashMap<>();
    private static final char[] NO_PASSWORD = {};

    private SocketContexts() {}

    /** Returns a context that has a credential and trusts the test authority. */
    static SSLContext with(SocketKind kind, @Nullable Credential own) {
        return CONTEXTS.computeIfAbsent(
                kind + " " + (own == null ? "" : own.chainFile()), key -> make(kind, own, trusting(shared())));
    }

    /**
     * Returns a new context of a client, which trusts the test authority. It shares no sessions: a server that gets the
     * port of an earlier one would see them resumed.
     */
    static SSLContext freshClient(SocketKind kind, @Nullable Credential own) {
        return make(kind, own, trusting(shared()));
    }

    /** Returns a new context, whose session cache is empty. */
    static SSLContext fresh(SocketKind kind, @Nullable Credential own, TrustManager[] trust) {
        return make(kind, own, trust);
    }

    /** Returns a context that trusts another authority. */
    static SSLContext distrusting(SocketKind kind, @Nullable Credential own) {
        return make(kind, own, trusting(OTHER_AUTHORITY.rootCertificate()));
    }

    static TrustManager[] trusting(X509Certificate root) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("root", root);
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError("the JDK makes no trust manager", e);
        }
    }

    private static X509Certificate shared() {
        return TestCertificates.shared().rootCertificate();
    }

    private static SSLContext make(SocketKind kind, @Nullable Credential own, TrustManager[] trust) {
        try {
            return kind.context(keys(own), trust);
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError("no context of " + kind, e);
        }
    }

    private static KeyManager[] keys(@Nullable Credential own) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (own != null) {
            store.setKeyEntry("own", own.key(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }
}
