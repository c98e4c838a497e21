package dev.sluice.jsse.engine;

import dev.sluice.jsse.context.ContextState;
import dev.sluice.jsse.context.EngineRole;
import dev.sluice.jsse.context.JsseSuites;
import dev.sluice.jsse.context.TlsProtocols;
import dev.sluice.jsse.engine.EngineParameters.SessionCreation;
import dev.sluice.tls.context.ClientAuthentication;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link SluiceEngine}, which applications may change until its handshake begins, and its lock. */
abstract class ConfiguredEngine extends SSLEngine {
    /** Guards everything in the engine. */
    final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, like all that follows. */
    final EngineParameters parameters;

    @Nullable
    BiFunction<SSLEngine, List<String>, String> protocolSelector;

    /** The side of the connection; null until it is set. */
    @Nullable
    EngineRole role;

    ConfiguredEngine(ContextState context, @Nullable String peerHost, int peerPort) {
        super(peerHost, peerPort);
        this.parameters = new EngineParameters(context.protocols());
    }

    /** Returns whether the handshake has begun. Called under the lock. */
    abstract boolean hasBegun();

    @Override
    public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
        lock.lock();
        try {
            protocolSelector = selector;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        lock.lock();
        try {
            return protocolSelector;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return JsseSuites.supported().toArray(String[]::new);
    }

    @Override
    public String[] getEnabledCipherSuites() {
        lock.lock();
        try {
            return parameters.suites().toArray(String[]::new);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        lock.lock();
        try {
            parameters.suites(JsseSuites.require(suites));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String[] getSupportedProtocols() {
        return TlsProtocols.SUPPORTED.toArray(String[]::new);
    }

    @Override
    public String[] getEnabledProtocols() {
        lock.lock();
        try {
            return parameters.protocols().toArray(String[]::new);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        lock.lock();
        try {
            parameters.protocols(TlsProtocols.require(protocols));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setUseClientMode(boolean mode) {
        lock.lock();
        try {
            if (hasBegun()) {
                throw new IllegalArgumentException("Cannot change mode after SSL traffic has started");
            }
            role = mode ? EngineRole.CLIENT : EngineRole.SERVER;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean getUseClientMode() {
        lock.lock();
        try {
            return role == EngineRole.CLIENT;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        clientAuthentication(need ? ClientAuthentication.REQUIRED : ClientAuthentication.NONE);
    }

    @Override
    public boolean getNeedClientAuth() {
        return clientAuthentication() == ClientAuthentication.REQUIRED;
    }

    @Override
    public void setWantClientAuth(boolean want) {
        clientAuthentication(want ? ClientAuthentication.OPTIONAL : ClientAuthentication.NONE);
    }

    @Override
    public boolean getWantClientAuth() {
        return clientAuthentication() == ClientAuthentication.OPTIONAL;
    }

    private void clientAuthentication(ClientAuthentication mode) {
        lock.lock();
        try {
            parameters.clientAuthentication(mode);
        } finally {
            lock.unlock();
        }
    }

    private ClientAuthentication clientAuthentication() {
        lock.lock();
        try {
            return parameters.clientAuthentication();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        lock.lock();
        try {
            parameters.sessionCreation(flag ? SessionCreation.ALLOWED : SessionCreation.FORBIDDEN);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean getEnableSessionCreation() {
        lock.lock();
        try {
            return parameters.sessionCreation() == SessionCreation.ALLOWED;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SSLParameters getSSLParameters() {
        lock.lock();
        try {
            return parameters.toParameters(getPeerHost());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setSSLParameters(SSLParameters changed) {
        lock.lock();
        try {
            parameters.apply(changed);
        } finally {
            lock.unlock();
        }
    }
}
