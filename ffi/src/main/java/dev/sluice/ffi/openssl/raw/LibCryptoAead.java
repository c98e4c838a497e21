package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} that protect records and derive their keys, one method handle per C function,
 * named after it. Separate from {@link LibCrypto}, so that a process that never detaches from libssl links none of
 * them.
 *
 * <p>Raw calls: pointers are {@code long} addresses, 0 is NULL, nothing is checked. Functions of the data path are leaf
 * calls: at most one record of work, never blocking, never calling back.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoAead {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoAead() {}

    // ---- control path: algorithms and contexts
    private static final MethodHandle EVP_CIPHER_fetch = LIBCRYPTO.function("EVP_CIPHER_fetch", LONG, LONG, LONG, LONG);
    /**
     * Calls {@code EVP_CIPHER *EVP_CIPHER_fetch(OSSL_LIB_CTX *context, const char *algorithm, const char *properties)}.
     */
    public static long EVP_CIPHER_fetch(long context, long algorithm, long properties) {
        try {
            return (long) EVP_CIPHER_fetch.invokeExact(context, algorithm, properties);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_CIPHER_fetch", t);
        }
    }

    private static final MethodHandle EVP_CIPHER_free = LIBCRYPTO.function("EVP_CIPHER_free", VOID, LONG);
    /** Calls {@code void EVP_CIPHER_free(EVP_CIPHER *cipher)}. */
    public static void EVP_CIPHER_free(long cipher) {
        try {
            long _ = (long) EVP_CIPHER_free.invokeExact(cipher);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_CIPHER_free", t);
        }
    }

    private static final MethodHandle EVP_CIPHER_CTX_new = LIBCRYPTO.function("EVP_CIPHER_CTX_new", LONG);
    /** Calls {@code EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void)}. */
    public static long EVP_CIPHER_CTX_new() {
        try {
            return (long) EVP_CIPHER_CTX_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_CIPHER_CTX_new", t);
        }
    }

    private static final MethodHandle EVP_CIPHER_CTX_free = LIBCRYPTO.function("EVP_CIPHER_CTX_free", VOID, LONG);
    /** Calls {@code void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *context)}. Also wipes the key schedule. */
    public static void EVP_CIPHER_CTX_free(long context) {
        try {
            long _ = (long) EVP_CIPHER_CTX_free.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_CIPHER_CTX_free", t);
        }
    }

    private static final MethodHandle EVP_KDF_fetch = LIBCRYPTO.function("EVP_KDF_fetch", LONG, LONG, LONG, LONG);
    /** Calls {@code EVP_KDF *EVP_KDF_fetch(OSSL_LIB_CTX *context, const char *algorithm, const char *properties)}. */
    public static long EVP_KDF_fetch(long context, long algorithm, long properties) {
        try {
            return (long) EVP_KDF_fetch.invokeExact(context, algorithm, properties);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_KDF_fetch", t);
        }
    }

    private static final MethodHandle EVP_KDF_free = LIBCRYPTO.function("EVP_KDF_free", VOID, LONG);
    /** Calls {@code void EVP_KDF_free(EVP_KDF *kdf)}. */
    public static void EVP_KDF_free(long kdf) {
        try {
            long _ = (long) EVP_KDF_free.invokeExact(kdf);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_KDF_free", t);
        }
    }

    private static final MethodHandle EVP_KDF_CTX_new = LIBCRYPTO.function("EVP_KDF_CTX_new", LONG, LONG);
    /** Calls {@code EVP_KDF_CTX *EVP_KDF_CTX_new(EVP_KDF *kdf)}. */
    public static long EVP_KDF_CTX_new(long kdf) {
        try {
            return (long) EVP_KDF_CTX_new.invokeExact(kdf);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_KDF_CTX_new", t);
        }
    }

    private static final MethodHandle EVP_KDF_CTX_free = LIBCRYPTO.function("EVP_KDF_CTX_free", VOID, LONG);
    /** Calls {@code void EVP_KDF_CTX_free(EVP_KDF_CTX *context)}. */
    public static void EVP_KDF_CTX_free(long context) {
        try {
            long _ = (long) EVP_KDF_CTX_free.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_KDF_CTX_free", t);
        }
    }

    private static final MethodHandle EVP_KDF_CTX_reset = LIBCRYPTO.function("EVP_KDF_CTX_reset", VOID, LONG);
    /** Calls {@code void EVP_KDF_CTX_reset(EVP_KDF_CTX *context)}. Also wipes its parameters. */
    public static void EVP_KDF_CTX_reset(long context) {
        try {
            long _ = (long) EVP_KDF_CTX_reset.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_KDF_CTX_reset", t);
        }
    }

    private static final MethodHandle EVP_KDF_derive =
            LIBCRYPTO.function("EVP_KDF_derive", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_KDF_derive(EVP_KDF_CTX *context, unsigned char *key, size_t length, const OSSL_PARAM
     * parameters[])}.
     */
    public static int EVP_KDF_derive(long context, long key, long length, long parameters) {
        try {
            return (int) (long) EVP_KDF_derive.invokeExact(context, key, length, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_KDF_derive", t);
        }
    }

    private static final MethodHandle EVP_MAC_fetch = LIBCRYPTO.function("EVP_MAC_fetch", LONG, LONG, LONG, LONG);
    /** Calls {@code EVP_MAC *EVP_MAC_fetch(OSSL_LIB_CTX *context, const char *algorithm, const char *properties)}. */
    public static long EVP_MAC_fetch(long context, long algorithm, long properties) {
        try {
            return (long) EVP_MAC_fetch.invokeExact(context, algorithm, properties);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_fetch", t);
        }
    }

    private static final MethodHandle EVP_MAC_free = LIBCRYPTO.function("EVP_MAC_free", VOID, LONG);
    /** Calls {@code void EVP_MAC_free(EVP_MAC *mac)}. */
    public static void EVP_MAC_free(long mac) {
        try {
            long _ = (long) EVP_MAC_free.invokeExact(mac);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_free", t);
        }
    }

    private static final MethodHandle EVP_MAC_CTX_new = LIBCRYPTO.function("EVP_MAC_CTX_new", LONG, LONG);
    /** Calls {@code EVP_MAC_CTX *EVP_MAC_CTX_new(EVP_MAC *mac)}. */
    public static long EVP_MAC_CTX_new(long mac) {
        try {
            return (long) EVP_MAC_CTX_new.invokeExact(mac);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_CTX_new", t);
        }
    }

    private static final MethodHandle EVP_MAC_CTX_free = LIBCRYPTO.function("EVP_MAC_CTX_free", VOID, LONG);
    /** Calls {@code void EVP_MAC_CTX_free(EVP_MAC_CTX *context)}. */
    public static void EVP_MAC_CTX_free(long context) {
        try {
            long _ = (long) EVP_MAC_CTX_free.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_CTX_free", t);
        }
    }

    private static final MethodHandle EVP_MAC_CTX_set_params =
            LIBCRYPTO.function("EVP_MAC_CTX_set_params", INT, LONG, LONG);
    /** Calls {@code int EVP_MAC_CTX_set_params(EVP_MAC_CTX *context, const OSSL_PARAM parameters[])}. */
    public static int EVP_MAC_CTX_set_params(long context, long parameters) {
        try {
            return (int) (long) EVP_MAC_CTX_set_params.invokeExact(context, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_CTX_set_params", t);
        }
    }

    private static final MethodHandle EVP_MAC_init = LIBCRYPTO.function("EVP_MAC_init", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_MAC_init(EVP_MAC_CTX *context, const unsigned char *key, size_t length, const OSSL_PARAM
     * parameters[])}.
     */
    public static int EVP_MAC_init(long context, long key, long length, long parameters) {
        try {
            return (int) (long) EVP_MAC_init.invokeExact(context, key, length, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_init", t);
        }
    }

    private static final MethodHandle EVP_MAC_update = LIBCRYPTO.function("EVP_MAC_update", INT, LONG, LONG, LONG);
    /** Calls {@code int EVP_MAC_update(EVP_MAC_CTX *context, const unsigned char *data, size_t length)}. */
    public static int EVP_MAC_update(long context, long data, long length) {
        try {
            return (int) (long) EVP_MAC_update.invokeExact(context, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_update", t);
        }
    }

    private static final MethodHandle EVP_MAC_final = LIBCRYPTO.function("EVP_MAC_final", INT, LONG, LONG, LONG, LONG);
    /** Calls {@code int EVP_MAC_final(EVP_MAC_CTX *context, unsigned char *out, size_t *length, size_t room)}. */
    public static int EVP_MAC_final(long context, long out, long length, long room) {
        try {
            return (int) (long) EVP_MAC_final.invokeExact(context, out, length, room);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MAC_final", t);
        }
    }

    private static final MethodHandle RAND_bytes = LIBCRYPTO.function("RAND_bytes", INT, LONG, INT);
    /** Calls {@code int RAND_bytes(unsigned char *buffer, int length)}. */
    public static int RAND_bytes(long buffer, int length) {
        try {
            return (int) (long) RAND_bytes.invokeExact(buffer, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("RAND_bytes", t);
        }
    }

    // ---- data path
    private static final MethodHandle EVP_EncryptInit_ex =
            LIBCRYPTO.criticalFunction("EVP_EncryptInit_ex", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_EncryptInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const
     * unsigned char *key, const unsigned char *iv)}. A leaf call.
     */
    public static int EVP_EncryptInit_ex(long context, long cipher, long engine, long key, long iv) {
        try {
            return (int) (long) EVP_EncryptInit_ex.invokeExact(context, cipher, engine, key, iv);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_EncryptInit_ex", t);
        }
    }

    private static final MethodHandle EVP_DecryptInit_ex =
            LIBCRYPTO.criticalFunction("EVP_DecryptInit_ex", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_DecryptInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const
     * unsigned char *key, const unsigned char *iv)}. A leaf call.
     */
    public static int EVP_DecryptInit_ex(long context, long cipher, long engine, long key, long iv) {
        try {
            return (int) (long) EVP_DecryptInit_ex.invokeExact(context, cipher, engine, key, iv);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DecryptInit_ex", t);
        }
    }

    private static final MethodHandle EVP_EncryptUpdate =
            LIBCRYPTO.criticalFunction("EVP_EncryptUpdate", INT, LONG, LONG, LONG, LONG, INT);
    /**
     * Calls {@code int EVP_EncryptUpdate(EVP_CIPHER_CTX *context, unsigned char *out, int *outLength, const unsigned
     * char *in, int length)}. A leaf call.
     */
    public static int EVP_EncryptUpdate(long context, long out, long outLength, long in, int length) {
        try {
            return (int) (long) EVP_EncryptUpdate.invokeExact(context, out, outLength, in, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_EncryptUpdate", t);
        }
    }

    private static final MethodHandle EVP_DecryptUpdate =
            LIBCRYPTO.criticalFunction("EVP_DecryptUpdate", INT, LONG, LONG, LONG, LONG, INT);
    /**
     * Calls {@code int EVP_DecryptUpdate(EVP_CIPHER_CTX *context, unsigned char *out, int *outLength, const unsigned
     * char *in, int length)}. A leaf call.
     */
    public static int EVP_DecryptUpdate(long context, long out, long outLength, long in, int length) {
        try {
            return (int) (long) EVP_DecryptUpdate.invokeExact(context, out, outLength, in, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DecryptUpdate", t);
        }
    }

    private static final MethodHandle EVP_EncryptFinal_ex =
            LIBCRYPTO.criticalFunction("EVP_EncryptFinal_ex", INT, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_EncryptFinal_ex(EVP_CIPHER_CTX *context, unsigned char *out, int *outLength)}. A leaf call.
     */
    public static int EVP_EncryptFinal_ex(long context, long out, long outLength) {
        try {
            return (int) (long) EVP_EncryptFinal_ex.invokeExact(context, out, outLength);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_EncryptFinal_ex", t);
        }
    }

    private static final MethodHandle EVP_DecryptFinal_ex =
            LIBCRYPTO.criticalFunction("EVP_DecryptFinal_ex", INT, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_DecryptFinal_ex(EVP_CIPHER_CTX *context, unsigned char *out, int *outLength)}; at most 0 for
     * a wrong tag. A leaf call.
     */
    public static int EVP_DecryptFinal_ex(long context, long out, long outLength) {
        try {
            return (int) (long) EVP_DecryptFinal_ex.invokeExact(context, out, outLength);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DecryptFinal_ex", t);
        }
    }

    private static final MethodHandle EVP_DecryptInit_ex2 =
            LIBCRYPTO.criticalFunction("EVP_DecryptInit_ex2", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_DecryptInit_ex2(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, const unsigned char *key,
     * const unsigned char *iv, const OSSL_PARAM parameters[])}. A leaf call.
     */
    public static int EVP_DecryptInit_ex2(long context, long cipher, long key, long iv, long parameters) {
        try {
            return (int) (long) EVP_DecryptInit_ex2.invokeExact(context, cipher, key, iv, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DecryptInit_ex2", t);
        }
    }

    private static final MethodHandle EVP_CIPHER_CTX_get_params =
            LIBCRYPTO.criticalFunction("EVP_CIPHER_CTX_get_params", INT, LONG, LONG);
    /** Calls {@code int EVP_CIPHER_CTX_get_params(EVP_CIPHER_CTX *context, OSSL_PARAM parameters[])}. A leaf call. */
    public static int EVP_CIPHER_CTX_get_params(long context, long parameters) {
        try {
            return (int) (long) EVP_CIPHER_CTX_get_params.invokeExact(context, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_CIPHER_CTX_get_params", t);
        }
    }
}
