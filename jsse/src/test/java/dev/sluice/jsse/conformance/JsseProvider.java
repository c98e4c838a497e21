package dev.sluice.jsse.conformance;

import dev.sluice.jsse.SluiceProvider;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** The providers that the cases run on. */
enum JsseProvider {
    /** The JDK's provider: the oracle. */
    SUN("SunJSSE"),
    /** The provider under test. */
    SLUICE("Sluice");

    private static final Provider SLUICE_PROVIDER = new SluiceProvider();

    private final String providerName;

    JsseProvider(String providerName) {
        this.providerName = providerName;
    }

    /** Returns the provider itself. */
    Provider provider() {
        return this == SUN ? Security.getProvider(providerName) : SLUICE_PROVIDER;
    }

    /** Creates a context; null stands for the default of {@link SSLContext#init}. */
    SSLContext context(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS", provider());
            context.init(keys, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(providerName + " creates no context", e);
        }
    }
}
