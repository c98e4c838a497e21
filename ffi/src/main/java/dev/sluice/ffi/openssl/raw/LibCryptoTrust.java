package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} for trust stores and revocation lists, one method handle per C function, named
 * after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked for client authentication.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoTrust {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoTrust() {}

    private static final MethodHandle X509_STORE_new = LIBCRYPTO.function("X509_STORE_new", LONG);
    /** Calls {@code X509_STORE *X509_STORE_new(void)}. */
    public static long X509_STORE_new() {
        try {
            return (long) X509_STORE_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_new", t);
        }
    }

    private static final MethodHandle X509_STORE_free = LIBCRYPTO.function("X509_STORE_free", VOID, LONG);
    /** Calls {@code void X509_STORE_free(X509_STORE *store)}. */
    public static void X509_STORE_free(long store) {
        try {
            long _ = (long) X509_STORE_free.invokeExact(store);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_free", t);
        }
    }

    private static final MethodHandle X509_STORE_set_flags =
            LIBCRYPTO.function("X509_STORE_set_flags", INT, LONG, LONG);
    /** Calls {@code int X509_STORE_set_flags(X509_STORE *store, unsigned long flags)}. */
    public static int X509_STORE_set_flags(long store, long flags) {
        try {
            return (int) (long) X509_STORE_set_flags.invokeExact(store, flags);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_set_flags", t);
        }
    }

    private static final MethodHandle X509_STORE_set_depth = LIBCRYPTO.function("X509_STORE_set_depth", INT, LONG, INT);
    /** Calls {@code int X509_STORE_set_depth(X509_STORE *store, int depth)}. */
    public static int X509_STORE_set_depth(long store, int depth) {
        try {
            return (int) (long) X509_STORE_set_depth.invokeExact(store, (long) depth);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_set_depth", t);
        }
    }

    private static final MethodHandle X509_STORE_add_crl = LIBCRYPTO.function("X509_STORE_add_crl", INT, LONG, LONG);
    /** Calls {@code int X509_STORE_add_crl(X509_STORE *store, X509_CRL *crl)}. */
    public static int X509_STORE_add_crl(long store, long crl) {
        try {
            return (int) (long) X509_STORE_add_crl.invokeExact(store, crl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_add_crl", t);
        }
    }

    private static final MethodHandle PEM_read_bio_X509_CRL =
            LIBCRYPTO.function("PEM_read_bio_X509_CRL", LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code X509_CRL *PEM_read_bio_X509_CRL(BIO *bio, X509_CRL **out, pem_password_cb *callback, void *user)}.
     */
    public static long PEM_read_bio_X509_CRL(long bio, long out, long callback, long user) {
        try {
            return (long) PEM_read_bio_X509_CRL.invokeExact(bio, out, callback, user);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("PEM_read_bio_X509_CRL", t);
        }
    }

    private static final MethodHandle X509_CRL_get_issuer = LIBCRYPTO.function("X509_CRL_get_issuer", LONG, LONG);
    /** Calls {@code X509_NAME *X509_CRL_get_issuer(const X509_CRL *crl)}. */
    public static long X509_CRL_get_issuer(long crl) {
        try {
            return (long) X509_CRL_get_issuer.invokeExact(crl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_CRL_get_issuer", t);
        }
    }

    private static final MethodHandle X509_CRL_get0_nextUpdate =
            LIBCRYPTO.function("X509_CRL_get0_nextUpdate", LONG, LONG);
    /** Calls {@code const ASN1_TIME *X509_CRL_get0_nextUpdate(const X509_CRL *crl)}. */
    public static long X509_CRL_get0_nextUpdate(long crl) {
        try {
            return (long) X509_CRL_get0_nextUpdate.invokeExact(crl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_CRL_get0_nextUpdate", t);
        }
    }

    private static final MethodHandle X509_CRL_digest =
            LIBCRYPTO.function("X509_CRL_digest", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int X509_CRL_digest(const X509_CRL *crl, const EVP_MD *digest, unsigned char *out, unsigned int
     * *length)}.
     */
    public static int X509_CRL_digest(long crl, long digest, long out, long length) {
        try {
            return (int) (long) X509_CRL_digest.invokeExact(crl, digest, out, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_CRL_digest", t);
        }
    }

    private static final MethodHandle X509_CRL_free = LIBCRYPTO.function("X509_CRL_free", VOID, LONG);
    /** Calls {@code void X509_CRL_free(X509_CRL *crl)}. */
    public static void X509_CRL_free(long crl) {
        try {
            long _ = (long) X509_CRL_free.invokeExact(crl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_CRL_free", t);
        }
    }
}
