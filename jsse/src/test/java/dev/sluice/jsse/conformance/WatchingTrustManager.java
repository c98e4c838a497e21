package dev.sluice.jsse.conformance;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** A trust manager that asks the JDK's, counts its calls and lets a case look at the engine in each. */
class WatchingTrustManager extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager trust = JsseContexts.trustManager();
    private final List<String> authTypes = new ArrayList<>();

    /** Looks at an engine in the middle of its handshake; may throw what the case demands. */
    void onCheck(SSLEngine engine) throws CertificateException {}

    /** Returns the authentication type of each call. */
    List<String> authTypes() {
        return authTypes;
    }

    /** Returns the number of full handshakes that have come this far. */
    int calls() {
        return authTypes.size();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        authTypes.add(authType);
        onCheck(engine);
        trust.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        authTypes.add(authType);
        onCheck(engine);
        trust.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
        throw new AssertionError("no socket");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
        throw new AssertionError("no socket");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
        throw new AssertionError("without the engine");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
        throw new AssertionError("without the engine");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
