package dev.sluice.bench.certificates;

import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/** A trust manager for generated certificates, which are checked afterwards. */
public final class TrustsAnyone implements X509TrustManager {
    /** Creates a manager that trusts every certificate. */
    public TrustsAnyone() {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
