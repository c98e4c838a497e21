package dev.sluice.tls.engine;

import dev.sluice.ffi.openssl.SslSession;

/** A client's session for later resumption. Secret. The holder closes it. */
public final class TlsSession implements AutoCloseable {
    private final SslSession handle;
    private final String host;

    public TlsSession(SslSession handle, String host) {
        this.handle = handle;
        this.host = host;
    }

    /** Returns the host of the session, the only one that it may be resumed with. */
    String host() {
        return host;
    }

    /** Returns the size of the ticket that resumes the session; 0 where the server sent an id instead. */
    public long ticketBytes() {
        return handle.ticketBytes();
    }

    /**
     * Returns the size of the session's ASN.1 encoding, including ticket and server certificate: the storage needed
     * outside a process.
     */
    public int encodedBytes() {
        return handle.encodedBytes();
    }

    /** Returns another owner of the same session, which the caller closes. */
    public TlsSession share() {
        return new TlsSession(handle.share(), host);
    }

    public SslSession handle() {
        return handle;
    }

    @Override
    public void close() {
        handle.close();
    }
}
