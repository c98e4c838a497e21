package dev.sluice.bench.certificates;

import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/** For certificates that nobody has issued: which one came is looked at afterwards. */
public final class TrustsAnyone implements X509TrustManager {
    /** Trusts whoever comes. */
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
