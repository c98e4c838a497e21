package dev.sluice.ffi.openssl;

/** A session that a client can resume ({@code SSL_SESSION}). */
public final class SslSession extends NativeHandle {
    SslSession(long address) {
        super(address, "SSL_get1_session", "SSL_SESSION");
    }

    /** The same session with one more owner, who closes what is returned. */
    public SslSession share() {
        LibSslCutOver.SSL_SESSION_up_ref(address());
        return new SslSession(address());
    }

    @Override
    void free(long nativeAddress) {
        LibSsl.SSL_SESSION_free(nativeAddress);
    }
}
