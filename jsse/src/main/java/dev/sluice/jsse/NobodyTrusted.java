package dev.sluice.jsse;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/** The trust manager of a context that was given managers, but none for X.509: it trusts nobody. */
final class NobodyTrusted implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw refusal();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw refusal();
    }

    private static CertificateException refusal() {
        return new CertificateException(
                "No X509TrustManager implementation available; pass one to SSLContext.init, or null for the default");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
