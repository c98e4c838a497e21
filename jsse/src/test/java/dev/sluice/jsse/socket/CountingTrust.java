package dev.sluice.jsse.socket;

import dev.sluice.testkit.TestCertificates;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A trust manager of the test authority that counts the chains that it checks: one for each full handshake. */
final class CountingTrust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager platform = (X509ExtendedTrustManager)
            SocketContexts.trusting(TestCertificates.shared().rootCertificate())[0];
    private final AtomicInteger checks = new AtomicInteger();
    private volatile Runnable action = () -> {};

    TrustManager[] managers() {
        return new TrustManager[] {this};
    }

    int checks() {
        return checks.get();
    }

    /** Runs an action at each check. */
    void atEachCheck(Runnable newAction) {
        action = newAction;
    }

    private void count() {
        checks.incrementAndGet();
        action.run();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        count();
        platform.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        count();
        platform.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        count();
        platform.checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        count();
        platform.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        count();
        platform.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        count();
        platform.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return platform.getAcceptedIssuers();
    }
}
