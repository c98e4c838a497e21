package dev.sluice.jsse.context;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.jsse.session.SessionCache;
import dev.sluice.tls.context.DelegatedContextBuilder.StapleSource;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.LoopCrypto;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * An initialized {@code SSLContext}: what its engines share. Each engine refers to it, so that it is reclaimed after
 * the last of them. Thread-safe.
 */
public final class ContextState {
    /** Holds the key memory of all engines in the process; never closed. */
    private static final LoopCrypto SHARED_CRYPTO = LoopCrypto.shared(new MallocAllocator());

    private final List<String> protocols;
    private final KeyBridge keys;
    private final TrustBridge trust;
    private final Holdings holdings;

    /** The responses that servers staple; null when they do not. */
    private final @Nullable ServerStaples staples;

    /** The parts that own native state. Refers to nothing that an application can hold. */
    private static final class Holdings implements Reclaimable {
        private final CredentialCache credentials = new CredentialCache();
        private final SessionCache clients = new SessionCache();
        private final SessionCache servers = new SessionCache();
        private final NativeContexts contexts;

        Holdings(StapleSource stapling) {
            contexts = new NativeContexts(stapling);
        }

        @Override
        public void reclaim() {
            contexts.close();
            clients.close();
            servers.close();
            credentials.close();
        }
    }

    /**
     * Creates the state of a context.
     *
     * @param protocols the versions enabled unless the application sets others
     * @param keyManager null for a context without certificates
     */
    public ContextState(List<String> protocols, @Nullable X509KeyManager keyManager, X509TrustManager trustManager) {
        this.protocols = protocols;
        this.trust = new TrustBridge(trustManager);
        this.staples = StaplingSettings.isEnabled() ? new ServerStaples(StaplingSettings.read()) : null;
        this.holdings = new Holdings(staples == null ? StapleSource.OFF : StapleSource.BY_DELEGATE);
        this.keys = new KeyBridge(keyManager, holdings.credentials);
        Reclaimer.poll();
        Reclaimer.register(this, holdings, Reclaimer.Kind.CONTEXT);
    }

    /** Returns the versions that are enabled unless the application sets others. */
    public List<String> protocols() {
        return protocols;
    }

    /** Returns the bridge to the key manager. */
    public KeyBridge keys() {
        return keys;
    }

    /** Returns the bridge to the trust manager. */
    public TrustBridge trust() {
        return trust;
    }

    /** Returns whether servers staple OCSP responses. */
    public boolean isStapling() {
        return staples != null;
    }

    /**
     * Returns the OCSP responses that a server staples to its certificates; waits until responders have answered, at
     * most for a timeout.
     *
     * @param chains the certificates, each with its issuers
     * @return the responses that there are, by certificate
     */
    public Map<X509Certificate, byte[]> staples(List<List<X509Certificate>> chains) {
        return staples == null ? Map.of() : staples.responsesFor(chains);
    }

    /** Returns the sessions of a role. */
    public SessionCache sessions(EngineRole role) {
        return role == EngineRole.CLIENT ? holdings.clients : holdings.servers;
    }

    /** Creates the record cryptography of a connection, which closes it. */
    public LoopCrypto crypto() {
        return SHARED_CRYPTO.ofOneConnection();
    }

    /** Returns what a function makes of the native context for a profile; it retains the context if it keeps it. */
    public <T> T withContext(ContextProfile profile, Function<TlsContext, T> function) throws SSLHandshakeException {
        return holdings.contexts.with(profile, trust::issuers, function);
    }
}
