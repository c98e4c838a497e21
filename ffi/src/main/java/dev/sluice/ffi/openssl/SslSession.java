package dev.sluice.ffi.openssl;

/** A session that a client can resume ({@code SSL_SESSION}). */
public final class SslSession extends NativeHandle {
    SslSession(long address) {
        super(address, "SSL_get1_session", "SSL_SESSION");
    }

    @Override
    void free(long nativeAddress) {
        LibSsl.SSL_SESSION_free(nativeAddress);
    }
}
