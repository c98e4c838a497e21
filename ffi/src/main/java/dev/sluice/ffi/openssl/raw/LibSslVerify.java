package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions that inspect a peer's certificate during verification, one method handle per C function, named after
 * it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked only where clients are authorized by
 * name.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslVerify {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibSslVerify() {}

    /** Initializes the static fields of this class. */
    public static void link() {}

    private static final MethodHandle X509_STORE_CTX_get_error_depth =
            LIBCRYPTO.function("X509_STORE_CTX_get_error_depth", INT, LONG);
    /**
     * Calls {@code int X509_STORE_CTX_get_error_depth(const X509_STORE_CTX *context)}. 0 is the peer's own certificate.
     */
    public static int X509_STORE_CTX_get_error_depth(long context) {
        try {
            return (int) (long) X509_STORE_CTX_get_error_depth.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_get_error_depth", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_get_current_cert =
            LIBCRYPTO.function("X509_STORE_CTX_get_current_cert", LONG, LONG);
    /** Calls {@code X509 *X509_STORE_CTX_get_current_cert(const X509_STORE_CTX *context)}. Borrowed. */
    public static long X509_STORE_CTX_get_current_cert(long context) {
        try {
            return (long) X509_STORE_CTX_get_current_cert.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_get_current_cert", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_set_error =
            LIBCRYPTO.function("X509_STORE_CTX_set_error", VOID, LONG, INT);
    /** Calls {@code void X509_STORE_CTX_set_error(X509_STORE_CTX *context, int error)}. */
    public static void X509_STORE_CTX_set_error(long context, int error) {
        try {
            long _ = (long) X509_STORE_CTX_set_error.invokeExact(context, (long) error);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_set_error", t);
        }
    }
}
