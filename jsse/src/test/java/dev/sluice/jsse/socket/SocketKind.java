package dev.sluice.jsse.socket;

import dev.sluice.jsse.SluiceProvider;
import java.security.GeneralSecurityException;
import java.security.Security;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** The implementations of TLS sockets that the suite runs on. */
enum SocketKind {
    /** The JDK's sockets: what applications expect. */
    SUN_JSSE("SunJSSE") {
        @Override
        SSLSocketFactory clients(SSLContext context) {
            return context.getSocketFactory();
        }

        @Override
        SSLServerSocketFactory servers(SSLContext context) {
            return context.getServerSocketFactory();
        }
    },
    /** Sluice's sockets on the JDK's engine. */
    ENGINE_OF_SUN_JSSE("SunJSSE") {
        @Override
        SSLSocketFactory clients(SSLContext context) {
            return new EngineSocketFactory((host, port) -> engine(context, host, port));
        }

        @Override
        SSLServerSocketFactory servers(SSLContext context) {
            return new EngineServerSocketFactory((host, port) -> engine(context, host, port));
        }
    },
    /** Sluice's sockets on Sluice's engine. */
    SLUICE("Sluice") {
        @Override
        SSLSocketFactory clients(SSLContext context) {
            return context.getSocketFactory();
        }

        @Override
        SSLServerSocketFactory servers(SSLContext context) {
            return context.getServerSocketFactory();
        }
    };

    static {
        Security.addProvider(new SluiceProvider());
    }

    private final String provider;

    SocketKind(String provider) {
        this.provider = provider;
    }

    abstract SSLSocketFactory clients(SSLContext context);

    abstract SSLServerSocketFactory servers(SSLContext context);

    SSLContext context(KeyManager[] keys, TrustManager[] trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS", provider);
        context.init(keys, trust, null);
        return context;
    }

    private static SSLEngine engine(SSLContext context, @Nullable String host, int port) {
        return host == null ? context.createSSLEngine() : context.createSSLEngine(host, port);
    }
}
