package dev.sluice.tls.context;

import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.tls.certificate.CertificateSummary;
import dev.sluice.tls.ech.EchKeyRing;
import dev.sluice.tls.lean.LeanContext;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shared settings of TLS connections: certificates, trust, versions, suites, ALPN. Wraps one {@code SSL_CTX}.
 *
 * <p>Created by a builder and immutable. Any thread may create engines from it, but OpenSSL 3.0 scales badly when
 * threads share a context: give each event loop its own, with a common {@link TicketKeyRing}.
 */
public final class TlsContext extends SharedContext {
    private final SslCtx handle;
    private final ContextSettings settings;

    /** The generation of the keys for Encrypted ClientHello that the handle has; guarded by this. */
    private int echGeneration;

    TlsContext(SslCtx handle, ContextSettings settings) {
        this.handle = handle;
        this.settings = settings;
    }

    /** Creates a builder of server contexts. */
    public static ServerContextBuilder server() {
        return new ServerContextBuilder();
    }

    /** Creates a builder of client contexts. */
    public static ClientContextBuilder client() {
        return new ClientContextBuilder();
    }

    /** Returns the presented certificates; empty for a client without any. */
    public List<CertificateSummary> certificates() {
        return settings.certificates();
    }

    /** Returns the requested groups that this OpenSSL lacks. */
    public List<String> ignoredGroups() {
        return settings.ignoredGroups();
    }

    /** Returns whether the context is for servers. */
    public boolean isServer() {
        return settings.server();
    }

    /**
     * Creates a server's connection, with the current keys for Encrypted ClientHello.
     *
     * @return the caller closes it
     */
    public Ssl newServer() {
        EchKeyRing keys = settings.ech();
        if (keys == null) {
            return Ssl.server(handle);
        }
        synchronized (this) {
            if (keys.generation() != echGeneration) {
                echGeneration = keys.useIn(handle);
            }
            return Ssl.server(handle);
        }
    }

    public SslCtx handle() {
        return handle;
    }

    public ContextSettings settings() {
        return settings;
    }

    public @Override TlsContext entry() {
        return this;
    }

    public @Override TlsContext select(@Nullable String serverName) {
        return this;
    }

    @Override
    void free() {
        handle.close();
        LeanContext lean = settings.lean();
        if (lean != null) {
            lean.close();
        }
    }

    @Override
    public String toString() {
        return (isServer() ? "server " : "client ")
                + certificates().stream().map(CertificateSummary::source).toList();
    }
}
