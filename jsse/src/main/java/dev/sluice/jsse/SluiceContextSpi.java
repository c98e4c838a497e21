package dev.sluice.jsse;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.ffi.openssl.raw.OpenSslNotFoundException;
import dev.sluice.jsse.context.ContextState;
import dev.sluice.jsse.context.EngineRole;
import dev.sluice.jsse.context.JsseSuites;
import dev.sluice.jsse.context.TlsProtocols;
import dev.sluice.jsse.engine.EngineParameters;
import dev.sluice.jsse.engine.SluiceEngine;
import dev.sluice.jsse.socket.EngineServerSocketFactory;
import dev.sluice.jsse.socket.EngineSocketFactory;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The implementation of {@code SSLContext}. */
final class SluiceContextSpi extends SSLContextSpi {
    private static final int NO_PORT = -1;

    private final List<String> protocols;
    private volatile @Nullable ContextState state;

    private SluiceContextSpi(List<String> protocols) {
        this.protocols = protocols;
    }

    /**
     * Creates a context that is to be initialized, and loads OpenSSL.
     *
     * @throws NoSuchAlgorithmException with the remedy, where OpenSSL is missing or native access is denied
     */
    static SluiceContextSpi create(String algorithm, List<String> protocols) throws NoSuchAlgorithmException {
        try {
            OpenSsl.require();
        } catch (OpenSslNotFoundException e) {
            throw new NoSuchAlgorithmException(algorithm + " of the provider Sluice: " + e.getMessage(), e);
        } catch (IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError e) {
            throw new NoSuchAlgorithmException(
                    algorithm + " of the provider Sluice: native access is denied (" + e
                            + "); start the JVM with --enable-native-access=dev.sluice.ffi, or =ALL-UNNAMED where the"
                            + " libraries are on the class path",
                    e);
        }
        return new SluiceContextSpi(protocols);
    }

    @Override
    protected void engineInit(
            KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random)
            throws KeyManagementException {
        state = new ContextState(protocols, firstKeyManager(keyManagers), firstTrustManager(trustManagers));
    }

    private static @Nullable X509KeyManager firstKeyManager(KeyManager @Nullable [] managers) {
        for (KeyManager each : managers == null ? new KeyManager[0] : managers) {
            if (each instanceof X509KeyManager found) {
                return found;
            }
        }
        return null;
    }

    private static X509TrustManager firstTrustManager(TrustManager @Nullable [] managers)
            throws KeyManagementException {
        try {
            for (TrustManager each : managers == null ? platformTrust() : managers) {
                if (each instanceof X509TrustManager found) {
                    return found;
                }
            }
        } catch (GeneralSecurityException e) {
            throw new KeyManagementException("the platform's trust store cannot be read: " + e.getMessage(), e);
        }
        return new NobodyTrusted();
    }

    private static TrustManager[] platformTrust() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return factory.getTrustManagers();
    }

    private ContextState state() {
        ContextState initialized = state;
        if (initialized == null) {
            throw new IllegalStateException("SSLContext is not initialized; call init first");
        }
        return initialized;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return new SluiceEngine(state(), null, NO_PORT);
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(@Nullable String host, int port) {
        return new SluiceEngine(state(), host, port);
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        ContextState initialized = state();
        return new EngineSocketFactory((host, port) -> new SluiceEngine(initialized, host, port));
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        ContextState initialized = state();
        return new EngineServerSocketFactory((host, port) -> new SluiceEngine(initialized, host, port));
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return state().sessions(EngineRole.SERVER);
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return state().sessions(EngineRole.CLIENT);
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return new EngineParameters(state().protocols()).toParameters(null);
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
        SSLParameters supported = engineGetDefaultSSLParameters();
        supported.setCipherSuites(JsseSuites.supported().toArray(String[]::new));
        supported.setProtocols(TlsProtocols.SUPPORTED.toArray(String[]::new));
        return supported;
    }
}
