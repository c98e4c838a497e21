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

    /** Bytes of the ticket that is sent to resume it; 0 where the server gave an id and no ticket. */
    public long ticketBytes() {
        return handle.ticketBytes();
    }

    /** Bytes of its ASN.1 form, ticket and server certificate included: what keeping it outside of a process takes. */
    public int encodedBytes() {
        return handle.encodedBytes();
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
