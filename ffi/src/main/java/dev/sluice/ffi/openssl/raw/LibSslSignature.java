package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The function of {@code libssl} that reports the signature algorithm of a handshake, with a method handle named after
 * it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked with the first handshake.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslSignature {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslSignature() {}

    private static final MethodHandle SSL_get_signature_type_nid =
            LIBSSL.function("SSL_get_signature_type_nid", INT, LONG, LONG);
    /** Calls {@code int SSL_get_signature_type_nid(const SSL *ssl, int *nid)}. */
    public static int SSL_get_signature_type_nid(long ssl, long nid) {
        try {
            return (int) (long) SSL_get_signature_type_nid.invokeExact(ssl, nid);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_signature_type_nid", t);
        }
    }
}
