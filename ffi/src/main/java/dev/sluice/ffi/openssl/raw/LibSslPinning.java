package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions that verify a peer by its public key alone, one method handle per C function, named after it. Raw
 * calls: pointers are {@code long} addresses, nothing is checked. Linked only where keys are pinned.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslPinning {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslPinning() {}

    private static final MethodHandle SSL_CTX_set_cert_verify_callback =
            LIBSSL.function("SSL_CTX_set_cert_verify_callback", VOID, LONG, LONG, LONG);
    /**
     * Calls {@code void SSL_CTX_set_cert_verify_callback(SSL_CTX *context, int (*callback)(X509_STORE_CTX *, void *),
     * void *argument)}.
     */
    public static void SSL_CTX_set_cert_verify_callback(long context, long callback, long argument) {
        try {
            long _ = (long) SSL_CTX_set_cert_verify_callback.invokeExact(context, callback, argument);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_cert_verify_callback", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_get0_cert =
            LIBCRYPTO.function("X509_STORE_CTX_get0_cert", LONG, LONG);
    /** Calls {@code X509 *X509_STORE_CTX_get0_cert(const X509_STORE_CTX *context)}. Borrowed. */
    public static long X509_STORE_CTX_get0_cert(long context) {
        try {
            return (long) X509_STORE_CTX_get0_cert.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_get0_cert", t);
        }
    }

    private static final MethodHandle X509_get_X509_PUBKEY = LIBCRYPTO.function("X509_get_X509_PUBKEY", LONG, LONG);
    /** Calls {@code X509_PUBKEY *X509_get_X509_PUBKEY(const X509 *certificate)}. Borrowed. */
    public static long X509_get_X509_PUBKEY(long certificate) {
        try {
            return (long) X509_get_X509_PUBKEY.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get_X509_PUBKEY", t);
        }
    }

    private static final MethodHandle i2d_X509_PUBKEY = LIBCRYPTO.function("i2d_X509_PUBKEY", INT, LONG, LONG);
    /** Calls {@code int i2d_X509_PUBKEY(const X509_PUBKEY *key, unsigned char **out)}. */
    public static int i2d_X509_PUBKEY(long key, long out) {
        try {
            return (int) (long) i2d_X509_PUBKEY.invokeExact(key, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("i2d_X509_PUBKEY", t);
        }
    }

    private static final MethodHandle EVP_Digest =
            LIBCRYPTO.function("EVP_Digest", INT, LONG, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_Digest(const void *data, size_t count, unsigned char *out, unsigned int *size, const
     * EVP_MD *digest, ENGINE *engine)}.
     */
    public static int EVP_Digest(long data, long count, long out, long size, long digest, long engine) {
        try {
            return (int) (long) EVP_Digest.invokeExact(data, count, out, size, digest, engine);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_Digest", t);
        }
    }
}
