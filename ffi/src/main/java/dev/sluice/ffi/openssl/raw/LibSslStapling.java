package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions that staple OCSP responses to certificates, one method handle per C function, named after it. Raw
 * calls: pointers are {@code long} addresses, nothing is checked. Linked only when a certificate needs a staple.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslStapling {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslStapling() {}

    /** Initializes the static fields of this class. */
    public static void link() {}

    private static final MethodHandle SSL_get_certificate = LIBSSL.function("SSL_get_certificate", LONG, LONG);
    /** Calls {@code X509 *SSL_get_certificate(const SSL *ssl)}. Borrowed. */
    public static long SSL_get_certificate(long ssl) {
        try {
            return (long) SSL_get_certificate.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_certificate", t);
        }
    }

    private static final MethodHandle SSL_CTX_get0_certificate =
            LIBSSL.function("SSL_CTX_get0_certificate", LONG, LONG);
    /** Calls {@code X509 *SSL_CTX_get0_certificate(const SSL_CTX *context)}. Borrowed. */
    public static long SSL_CTX_get0_certificate(long context) {
        try {
            return (long) SSL_CTX_get0_certificate.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_get0_certificate", t);
        }
    }

    private static final MethodHandle X509_up_ref = LIBCRYPTO.function("X509_up_ref", INT, LONG);
    /** Calls {@code int X509_up_ref(X509 *certificate)}. */
    public static int X509_up_ref(long certificate) {
        try {
            return (int) (long) X509_up_ref.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_up_ref", t);
        }
    }

    private static final MethodHandle SSL_CTX_get0_privatekey = LIBSSL.function("SSL_CTX_get0_privatekey", LONG, LONG);
    /** Calls {@code EVP_PKEY *SSL_CTX_get0_privatekey(const SSL_CTX *context)}. */
    public static long SSL_CTX_get0_privatekey(long context) {
        try {
            return (long) SSL_CTX_get0_privatekey.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_get0_privatekey", t);
        }
    }
}
