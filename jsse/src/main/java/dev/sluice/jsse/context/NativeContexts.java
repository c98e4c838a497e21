package dev.sluice.jsse.context;

import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.DelegatedContextBuilder;
import dev.sluice.tls.context.DelegatedContextBuilder.StapleSource;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * The native contexts of one {@code SSLContext}, one per set of settings. Thread-safe. A context that is dropped or
 * closed is freed when its last engine is.
 */
final class NativeContexts implements AutoCloseable {
    /** Applications use one or two sets; this bounds the memory of one that makes them up. */
    private static final int MAX_CONTEXTS = 64;

    private static final int SESSION_CONTEXT_BYTES = 31;

    /** RFC 8446 section 4.6.1: seven days. */
    private static final int MAX_SECONDS = 604_800;

    /** A ring holds the largest record, and a server's flight with a long chain. */
    private static final int RING_BYTES = 20 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ContextProfile, TlsContext> contexts = new LinkedHashMap<>(16, 0.75f, true);
    private final byte[] sessions = new byte[SESSION_CONTEXT_BYTES];
    private final StapleSource stapling;

    /** Made first; its ticket keys seal the tickets of all servers' contexts. */
    private @Nullable TlsContext keyHolder;

    /**
     * Creates an empty set.
     *
     * @param stapling the source of the OCSP responses that servers staple
     */
    NativeContexts(StapleSource stapling) {
        this.stapling = stapling;
        new SecureRandom().nextBytes(sessions);
    }

    /**
     * Returns what a function makes of the context for a profile; it retains the context if it keeps it.
     *
     * @param issuers certificates in DER, whose subjects are named in requests to clients
     */
    <T> T with(ContextProfile profile, Supplier<List<byte[]>> issuers, Function<TlsContext, T> function)
            throws SSLHandshakeException {
        lock.lock();
        try {
            TlsContext context = contexts.get(profile);
            if (context == null) {
                context = make(profile, issuers);
                contexts.put(profile, context);
                evict();
            }
            return function.apply(context);
        } catch (TlsConfigurationException e) {
            SSLHandshakeException failure = new SSLHandshakeException(String.valueOf(e.getMessage()));
            failure.initCause(e);
            throw failure;
        } finally {
            lock.unlock();
        }
    }

    private TlsContext make(ContextProfile profile, Supplier<List<byte[]>> issuers) throws SSLHandshakeException {
        String older = JsseSuites.listOf(profile.suites());
        List<String> newer =
                profile.suites().stream().filter(JsseSuites::isTls13).toList();
        List<ProtocolVersion> versions = profile.protocols().stream()
                .map(TlsProtocols::version)
                .filter(version -> version == ProtocolVersion.TLS_1_3 ? !newer.isEmpty() : !older.isEmpty())
                .sorted()
                .toList();
        if (versions.isEmpty()) {
            throw new SSLHandshakeException("No appropriate protocol: none of the enabled protocols "
                    + profile.protocols() + " has a cipher suite among " + profile.suites()
                    + "; enable a suite of an enabled protocol");
        }
        DelegatedContextBuilder builder =
                profile.role() == EngineRole.SERVER ? server(profile, issuers) : client(profile);
        builder.versions(versions.getFirst(), versions.getLast())
                .signatureSchemes(profile.schemes())
                .offeredProtocols(profile.alpn())
                .ringBytes(RING_BYTES)
                .sessionSeconds(
                        profile.sessionSeconds() == 0 ? MAX_SECONDS : Math.min(profile.sessionSeconds(), MAX_SECONDS));
        if (!older.isEmpty()) {
            builder.cipherList(older);
        }
        if (!newer.isEmpty()) {
            builder.cipherSuites(newer);
        }
        if (!profile.groups().isEmpty()) {
            builder.groups(profile.groups());
        }
        return builder.build();
    }

    private static DelegatedContextBuilder client(ContextProfile profile) {
        return DelegatedContextBuilder.client().suiteOrder(profile.suiteOrder());
    }

    private DelegatedContextBuilder server(ContextProfile profile, Supplier<List<byte[]>> issuers) {
        TlsContext holder = keyHolder;
        if (holder == null) {
            holder = DelegatedContextBuilder.server().build();
            keyHolder = holder;
        }
        ClientAuthentication mode = profile.clientAuthentication();
        return DelegatedContextBuilder.server()
                .suiteOrder(profile.suiteOrder())
                .stapling(stapling)
                .clientAuthentication(mode, mode == ClientAuthentication.NONE ? List.of() : issuers.get())
                .sessions(sessionContext(mode))
                .ticketKeysOf(holder);
    }

    /** Returns the id context of sessions: without client authentication, one must not be resumed with it. */
    private byte[] sessionContext(ClientAuthentication mode) {
        byte[] id = new byte[SESSION_CONTEXT_BYTES + 1];
        System.arraycopy(sessions, 0, id, 1, SESSION_CONTEXT_BYTES);
        id[0] = switch (mode) {
            case NONE -> 0;
            case OPTIONAL -> 1;
            case REQUIRED -> 2;
        };
        return id;
    }

    private void evict() {
        Iterator<TlsContext> oldest = contexts.values().iterator();
        while (contexts.size() > MAX_CONTEXTS) {
            oldest.next().close();
            oldest.remove();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            contexts.values().forEach(TlsContext::close);
            contexts.clear();
            if (keyHolder != null) {
                keyHolder.close();
                keyHolder = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
