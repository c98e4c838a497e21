package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The function of {@code libssl} that returns the certificates of a peer, named after it. A raw call: pointers are
 * {@code long} addresses, nothing is checked. Linked when the first chain is read.
 */
@SuppressWarnings("MemberName") // named after the C symbol
public final class LibSslPeerChain {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslPeerChain() {}

    private static final MethodHandle SSL_get_peer_cert_chain = LIBSSL.function("SSL_get_peer_cert_chain", LONG, LONG);
    /** Calls {@code STACK_OF(X509) *SSL_get_peer_cert_chain(const SSL *ssl)}. Borrowed; 0 for none. */
    public static long SSL_get_peer_cert_chain(long ssl) {
        try {
            return (long) SSL_get_peer_cert_chain.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_peer_cert_chain", t);
        }
    }
}
