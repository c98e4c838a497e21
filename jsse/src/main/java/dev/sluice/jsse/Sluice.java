package dev.sluice.jsse;

import dev.sluice.jsse.context.Reclaimer;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The entry to native TLS for code that uses {@code javax.net.ssl}.
 *
 * <pre>{@code
 * SSLContext context = Sluice.sslContext(keyManagers, trustManagers);   // one context, the provider stays unregistered
 * Sluice.install();                                                     // or: every SSLContext.getInstance("TLS")
 * }</pre>
 */
public final class Sluice {
    private static final String TLS = "TLS";
    private static final int FIRST = 1;
    private static final Provider PROVIDER = new SluiceProvider();

    private Sluice() {}

    /** Returns the provider, for the methods of the platform that take one. */
    public static Provider provider() {
        return PROVIDER;
    }

    /** Registers the provider before all others, so that it serves every request for TLS. Idempotent. */
    public static void install() {
        Security.insertProviderAt(PROVIDER, FIRST);
    }

    /**
     * Returns a context that is to be initialized.
     *
     * @throws NoSuchAlgorithmException with the remedy, where OpenSSL is missing or native access is denied
     */
    public static SSLContext sslContext() throws NoSuchAlgorithmException {
        return SSLContext.getInstance(TLS, PROVIDER);
    }

    /**
     * Returns an initialized context.
     *
     * @param keys null for a client without a certificate
     * @param trust null for the platform's trust store
     */
    public static SSLContext sslContext(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust)
            throws GeneralSecurityException {
        SSLContext context = sslContext();
        context.init(keys, trust, null);
        return context;
    }

    /**
     * Returns the number of engines that were dropped before both directions were closed, and whose memory the
     * collector's help has freed. With the system property {@value Reclaimer#SITES_PROPERTY} set to true, each is
     * logged with the place that made it.
     */
    public static long leakedEngines() {
        return Reclaimer.leakedEngines();
    }
}
