package dev.sluice.tls;

import dev.sluice.ffi.openssl.SslCtx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What TLS connections have in common: certificates, trust, versions, suites, ALPN. Wraps one {@code SSL_CTX}.
 *
 * <p>Made by a builder and fixed from then on. Engines may be made of it on any thread, but OpenSSL 3.0 scales badly when
 * threads share one: give each event loop its own, with common {@link TicketKeyRing}.
 */
public final class TlsContext extends SharedContext {
    private final SslCtx handle;
    private final ContextSettings settings;

    TlsContext(SslCtx handle, ContextSettings settings) {
        this.handle = handle;
        this.settings = settings;
    }

    /** Begins a context for servers. */
    public static ServerContextBuilder server() {
        return new ServerContextBuilder();
    }

    /** Begins a context for clients. */
    public static ClientContextBuilder client() {
        return new ClientContextBuilder();
    }

    /** The certificates that it presents; empty for a client without. */
    public List<CertificateSummary> certificates() {
        return settings.certificates();
    }

    /** Groups that were asked for and that this OpenSSL does not have. */
    public List<String> ignoredGroups() {
        return settings.ignoredGroups();
    }

    /** Whether it is for servers. */
    public boolean isServer() {
        return settings.server();
    }

    SslCtx handle() {
        return handle;
    }

    ContextSettings settings() {
        return settings;
    }

    @Override
    TlsContext entry() {
        return this;
    }

    @Override
    TlsContext select(@Nullable String serverName) {
        return this;
    }

    @Override
    void free() {
        handle.close();
    }

    @Override
    public String toString() {
        return (isServer() ? "server " : "client ")
                + certificates().stream().map(CertificateSummary::source).toList();
    }
}
