package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} that load a provider of this process and make its keys, one method handle per C
 * function, named after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked only where
 * private keys stay outside of OpenSSL.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoProviders {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoProviders() {}

    private static final MethodHandle OSSL_LIB_CTX_new = LIBCRYPTO.function("OSSL_LIB_CTX_new", LONG);
    /** Calls {@code OSSL_LIB_CTX *OSSL_LIB_CTX_new(void)}. */
    public static long OSSL_LIB_CTX_new() {
        try {
            return (long) OSSL_LIB_CTX_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_LIB_CTX_new", t);
        }
    }

    private static final MethodHandle OSSL_LIB_CTX_free = LIBCRYPTO.function("OSSL_LIB_CTX_free", VOID, LONG);
    /** Calls {@code void OSSL_LIB_CTX_free(OSSL_LIB_CTX *library)}. */
    public static void OSSL_LIB_CTX_free(long library) {
        try {
            long _ = (long) OSSL_LIB_CTX_free.invokeExact(library);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_LIB_CTX_free", t);
        }
    }

    private static final MethodHandle OSSL_PROVIDER_add_builtin =
            LIBCRYPTO.function("OSSL_PROVIDER_add_builtin", INT, LONG, LONG, LONG);
    /**
     * Calls {@code int OSSL_PROVIDER_add_builtin(OSSL_LIB_CTX *library, const char *name, OSSL_provider_init_fn
     * *init)}.
     */
    public static int OSSL_PROVIDER_add_builtin(long library, long name, long init) {
        try {
            return (int) (long) OSSL_PROVIDER_add_builtin.invokeExact(library, name, init);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_PROVIDER_add_builtin", t);
        }
    }

    private static final MethodHandle OSSL_PROVIDER_load = LIBCRYPTO.function("OSSL_PROVIDER_load", LONG, LONG, LONG);
    /** Calls {@code OSSL_PROVIDER *OSSL_PROVIDER_load(OSSL_LIB_CTX *library, const char *name)}. */
    public static long OSSL_PROVIDER_load(long library, long name) {
        try {
            return (long) OSSL_PROVIDER_load.invokeExact(library, name);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OSSL_PROVIDER_load", t);
        }
    }

    private static final MethodHandle EVP_PKEY_fromdata_init = LIBCRYPTO.function("EVP_PKEY_fromdata_init", INT, LONG);
    /** Calls {@code int EVP_PKEY_fromdata_init(EVP_PKEY_CTX *context)}. */
    public static int EVP_PKEY_fromdata_init(long context) {
        try {
            return (int) (long) EVP_PKEY_fromdata_init.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_fromdata_init", t);
        }
    }

    private static final MethodHandle EVP_PKEY_fromdata =
            LIBCRYPTO.function("EVP_PKEY_fromdata", INT, LONG, LONG, INT, LONG);
    /**
     * Calls {@code int EVP_PKEY_fromdata(EVP_PKEY_CTX *context, EVP_PKEY **key, int selection, OSSL_PARAM
     * parameters[])}.
     */
    public static int EVP_PKEY_fromdata(long context, long key, int selection, long parameters) {
        try {
            return (int) (long) EVP_PKEY_fromdata.invokeExact(context, key, (long) selection, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_fromdata", t);
        }
    }

    private static final MethodHandle EVP_PKEY_up_ref = LIBCRYPTO.function("EVP_PKEY_up_ref", INT, LONG);
    /** Calls {@code int EVP_PKEY_up_ref(EVP_PKEY *key)}. */
    public static int EVP_PKEY_up_ref(long key) {
        try {
            return (int) (long) EVP_PKEY_up_ref.invokeExact(key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_up_ref", t);
        }
    }

    private static final MethodHandle EVP_PKEY_export =
            LIBCRYPTO.function("EVP_PKEY_export", INT, LONG, INT, LONG, LONG);
    /**
     * Calls {@code int EVP_PKEY_export(const EVP_PKEY *key, int selection, OSSL_CALLBACK *callback, void *argument)}.
     */
    public static int EVP_PKEY_export(long key, int selection, long callback, long argument) {
        try {
            return (int) (long) EVP_PKEY_export.invokeExact(key, (long) selection, callback, argument);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_export", t);
        }
    }

    private static final MethodHandle EVP_PKEY_get_params = LIBCRYPTO.function("EVP_PKEY_get_params", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_get_params(const EVP_PKEY *key, OSSL_PARAM parameters[])}. */
    public static int EVP_PKEY_get_params(long key, long parameters) {
        try {
            return (int) (long) EVP_PKEY_get_params.invokeExact(key, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_get_params", t);
        }
    }

    private static final MethodHandle EVP_PKEY_get_size = LIBCRYPTO.function("EVP_PKEY_get_size", INT, LONG);
    /** Calls {@code int EVP_PKEY_get_size(const EVP_PKEY *key)}. */
    public static int EVP_PKEY_get_size(long key) {
        try {
            return (int) (long) EVP_PKEY_get_size.invokeExact(key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_get_size", t);
        }
    }

    private static final MethodHandle EVP_PKEY_get0_type_name =
            LIBCRYPTO.function("EVP_PKEY_get0_type_name", LONG, LONG);
    /** Calls {@code const char *EVP_PKEY_get0_type_name(const EVP_PKEY *key)}. */
    public static long EVP_PKEY_get0_type_name(long key) {
        try {
            return (long) EVP_PKEY_get0_type_name.invokeExact(key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_get0_type_name", t);
        }
    }
}
