package dev.sluice.jsse;

import dev.sluice.jsse.context.TlsProtocols;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The security provider {@value #NAME}: {@code SSLContext} over native OpenSSL, under the names TLS, TLSv1.3 and
 * TLSv1.2. Found by {@code ServiceLoader}, or made by its constructor; thread-safe.
 *
 * <p>OpenSSL is loaded by the first context, not by the provider, so that registering it never fails.
 */
public final class SluiceProvider extends Provider {
    /** The name of the provider. */
    public static final String NAME = "Sluice";

    private static final long serialVersionUID = 1L;
    private static final String VERSION = "0.1";
    private static final String TYPE = "SSLContext";

    /** Creates the provider. */
    public SluiceProvider() {
        super(NAME, VERSION, "TLS over native OpenSSL, with SSLContext for TLS, TLSv1.3 and TLSv1.2");
        putService(new ContextService(this, "TLS", TlsProtocols.SUPPORTED));
        putService(new ContextService(this, TlsProtocols.TLS_1_3, TlsProtocols.SUPPORTED));
        putService(new ContextService(this, TlsProtocols.TLS_1_2, List.of(TlsProtocols.TLS_1_2)));
    }

    /** One name under which contexts are found. */
    private static final class ContextService extends Service {
        private final List<String> protocols;

        ContextService(Provider provider, String algorithm, List<String> protocols) {
            super(provider, TYPE, algorithm, SluiceContextSpi.class.getName(), List.of(), Map.of());
            this.protocols = protocols;
        }

        @Override
        public Object newInstance(@Nullable Object constructorParameter) throws NoSuchAlgorithmException {
            return SluiceContextSpi.create(getAlgorithm(), protocols);
        }
    }
}
