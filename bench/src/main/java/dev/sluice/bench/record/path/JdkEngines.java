package dev.sluice.bench.record.path;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** A factory of engines of the JDK, or of another provider of JSSE. */
public final class JdkEngines {
    /** The JDK's maximum payload of one record: a payload of 16 KiB would take a large record and a small one. */
    static final int MAX_PAYLOAD_BYTES = 16_367;

    private final SSLContext context;
    private final String suite;

    /** Prepares the JDK's TLS 1.3 with one suite. */
    public JdkEngines(String suite, Credentials credentials) {
        this(MeasuredProvider.SUN, suite, credentials);
    }

    /** Prepares a provider's TLS 1.3 with one suite. */
    JdkEngines(MeasuredProvider provider, String suite, Credentials credentials) {
        this.suite = suite;
        this.context = provider.context(credentials);
    }

    /** Initializes a context with the JDK's managers of keys and trust, and returns it. */
    static SSLContext context(Credentials credentials, SSLContext context)
            throws GeneralSecurityException, IOException {
        KeyStore store = credentials.keyStore();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, Credentials.password());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Creates one end of a connection. */
    public SSLEngine engine(boolean client) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setSSLParameters(parameters(engine.getSSLParameters()));
        return engine;
    }

    /** Returns the context, for sockets. */
    public SSLContext context() {
        return context;
    }

    /** Changes parameters to TLS 1.3 with the suite, and returns them. */
    public SSLParameters parameters(SSLParameters of) {
        of.setProtocols(new String[] {"TLSv1.3"});
        of.setCipherSuites(new String[] {suite});
        return of;
    }
}
