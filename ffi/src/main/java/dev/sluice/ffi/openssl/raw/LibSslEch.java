package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of Encrypted ClientHello (openssl/ech.h of OpenSSL 4.0), one method handle per C function, named after
 * it. Raw calls: pointers are {@code long} addresses, nothing is checked. Not in every version: see {@link
 * OpenSsl#supportsEncryptedHello()}, without which this class cannot be initialized.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslEch {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    /** {@code OSSL_ECH_CURRENT_VERSION}, RFC 9849. */
    public static final int OSSL_ECH_CURRENT_VERSION = 0xFE0D;

    /** {@code OSSL_ECHSTORE_LAST}: the index of the last entry. */
    public static final int OSSL_ECHSTORE_LAST = -1;

    /** {@code SSL_ECH_STATUS_SUCCESS}: the inner ClientHello was used. */
    public static final int SSL_ECH_STATUS_SUCCESS = 1;

    /** {@code SSL_ECH_STATUS_GREASE}: no key opened the extension, which may be GREASE. */
    public static final int SSL_ECH_STATUS_GREASE = 2;

    /** {@code SSL_ECH_STATUS_BAD_NAME}: the inner ClientHello was used, and the peer's certificate does not verify. */
    public static final int SSL_ECH_STATUS_BAD_NAME = -102;

    private LibSslEch() {}

    private static final MethodHandle OSSL_ECHSTORE_new = LIBSSL.function("OSSL_ECHSTORE_new", LONG, LONG, LONG);
    /** Calls {@code OSSL_ECHSTORE *OSSL_ECHSTORE_new(OSSL_LIB_CTX *libctx, const char *propq)}. */
    public static long OSSL_ECHSTORE_new(long libraryContext, long properties) {
        try {
            return (long) OSSL_ECHSTORE_new.invokeExact(libraryContext, properties);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_ECHSTORE_new", t);
        }
    }

    private static final MethodHandle OSSL_ECHSTORE_free = LIBSSL.function("OSSL_ECHSTORE_free", VOID, LONG);
    /** Calls {@code void OSSL_ECHSTORE_free(OSSL_ECHSTORE *store)}. */
    public static void OSSL_ECHSTORE_free(long store) {
        try {
            long _ = (long) OSSL_ECHSTORE_free.invokeExact(store);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_ECHSTORE_free", t);
        }
    }

    private static final MethodHandle OSSL_ECHSTORE_new_config =
            LIBSSL.function("OSSL_ECHSTORE_new_config", INT, LONG, INT, INT, LONG, LONG);
    /**
     * Calls {@code int OSSL_ECHSTORE_new_config(OSSL_ECHSTORE *store, uint16_t version, uint8_t max_name_length, const
     * char *public_name, OSSL_HPKE_SUITE suite)}.
     *
     * @param suite the struct's three 16-bit numbers KEM, KDF and AEAD, from the lowest bits on: both ABIs pass it in
     *     one register
     */
    public static int OSSL_ECHSTORE_new_config(
            long store, int version, int maxNameLength, long publicName, long suite) {
        try {
            return (int) (long) OSSL_ECHSTORE_new_config.invokeExact(
                    store, (long) version, (long) maxNameLength, publicName, suite);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_ECHSTORE_new_config", t);
        }
    }

    private static final MethodHandle OSSL_ECHSTORE_write_pem =
            LIBSSL.function("OSSL_ECHSTORE_write_pem", INT, LONG, INT, LONG);
    /** Calls {@code int OSSL_ECHSTORE_write_pem(OSSL_ECHSTORE *store, int index, BIO *out)}. */
    public static int OSSL_ECHSTORE_write_pem(long store, int index, long out) {
        try {
            return (int) (long) OSSL_ECHSTORE_write_pem.invokeExact(store, (long) index, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_ECHSTORE_write_pem", t);
        }
    }

    private static final MethodHandle OSSL_ECHSTORE_read_pem =
            LIBSSL.function("OSSL_ECHSTORE_read_pem", INT, LONG, LONG, INT);
    /** Calls {@code int OSSL_ECHSTORE_read_pem(OSSL_ECHSTORE *store, BIO *in, int for_retry)}. */
    public static int OSSL_ECHSTORE_read_pem(long store, long in, int forRetry) {
        try {
            return (int) (long) OSSL_ECHSTORE_read_pem.invokeExact(store, in, (long) forRetry);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_ECHSTORE_read_pem", t);
        }
    }

    private static final MethodHandle OSSL_ECHSTORE_num_keys =
            LIBSSL.function("OSSL_ECHSTORE_num_keys", INT, LONG, LONG);
    /** Calls {@code int OSSL_ECHSTORE_num_keys(OSSL_ECHSTORE *store, int *keys)}. */
    public static int OSSL_ECHSTORE_num_keys(long store, long keys) {
        try {
            return (int) (long) OSSL_ECHSTORE_num_keys.invokeExact(store, keys);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_ECHSTORE_num_keys", t);
        }
    }

    private static final MethodHandle SSL_CTX_set1_echstore = LIBSSL.function("SSL_CTX_set1_echstore", INT, LONG, LONG);
    /** Calls {@code int SSL_CTX_set1_echstore(SSL_CTX *ctx, OSSL_ECHSTORE *store)}, which copies the store. */
    public static int SSL_CTX_set1_echstore(long ctx, long store) {
        try {
            return (int) (long) SSL_CTX_set1_echstore.invokeExact(ctx, store);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set1_echstore", t);
        }
    }

    private static final MethodHandle SSL_ech_get1_status =
            LIBSSL.function("SSL_ech_get1_status", INT, LONG, LONG, LONG);
    /** Calls {@code int SSL_ech_get1_status(SSL *ssl, char **inner, char **outer)}; the caller frees both. */
    public static int SSL_ech_get1_status(long ssl, long inner, long outer) {
        try {
            return (int) (long) SSL_ech_get1_status.invokeExact(ssl, inner, outer);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_ech_get1_status", t);
        }
    }
}
