package dev.sluice.tls;

import dev.sluice.ffi.openssl.SslSession;

/** A session that a client keeps to resume later. Secret. Its holder closes it. */
public final class TlsSession implements AutoCloseable {
    private final SslSession handle;
    private final String host;

    TlsSession(SslSession handle, String host) {
        this.handle = handle;
        this.host = host;
    }

    /** The host that it was made with, and that it may be resumed with. */
    public String host() {
        return host;
    }

    /** The same session with one more owner, who closes what is returned. */
    TlsSession share() {
        return new TlsSession(handle.share(), host);
    }

    SslSession handle() {
        return handle;
    }

    @Override
    public void close() {
        handle.close();
    }
}
