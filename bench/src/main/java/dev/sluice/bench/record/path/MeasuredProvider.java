package dev.sluice.bench.record.path;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.net.ssl.SSLContext;

/** The providers of JSSE that the same code measures. */
public enum MeasuredProvider {
    /** The JDK's. */
    SUN("SunJSSE"),
    /** Sluice's, over native OpenSSL. */
    SLUICE("Sluice");

    private final String label;

    MeasuredProvider(String label) {
        this.label = label;
    }

    /** Returns the name by which JSSE knows it. */
    public String label() {
        return label;
    }

    /**
     * Returns a context with a server's certificate, which clients trust.
     *
     * @throws IllegalStateException when the provider is missing, or rejects the certificate
     */
    public SSLContext context(Credentials credentials) {
        try {
            return JdkEngines.context(credentials, SSLContext.getInstance("TLS", find()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(label + " cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Returns the library that protects the records, with its version. */
    public String library() {
        find();
        return switch (this) {
            case SUN -> "JDK " + Runtime.version();
            case SLUICE -> OpenSsl.require().version();
        };
    }

    /** Returns the provider: the installed one, or one that this process has on its path. */
    private Provider find() {
        return Stream.concat(
                        Stream.of(Security.getProviders()),
                        StreamSupport.stream(ServiceLoader.load(Provider.class).spliterator(), false))
                .filter(provider -> provider.getName().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the provider is missing, name=" + label));
    }
}
