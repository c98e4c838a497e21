package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The public-key operations of {@code libcrypto} as libssl calls them within a handshake, one method handle per C
 * function, named after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked for cost
 * measurements.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoOperations {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoOperations() {}

    private static final MethodHandle EVP_PKEY_CTX_new = LIBCRYPTO.function("EVP_PKEY_CTX_new", LONG, LONG, LONG);
    /** Calls {@code EVP_PKEY_CTX *EVP_PKEY_CTX_new(EVP_PKEY *key, ENGINE *engine)}. */
    public static long EVP_PKEY_CTX_new(long key, long engine) {
        try {
            return (long) EVP_PKEY_CTX_new.invokeExact(key, engine);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_CTX_new", t);
        }
    }

    private static final MethodHandle EVP_PKEY_CTX_new_from_name =
            LIBCRYPTO.function("EVP_PKEY_CTX_new_from_name", LONG, LONG, LONG, LONG);
    /**
     * Calls {@code EVP_PKEY_CTX *EVP_PKEY_CTX_new_from_name(OSSL_LIB_CTX *library, const char *name, const char
     * *properties)}.
     */
    public static long EVP_PKEY_CTX_new_from_name(long library, long name, long properties) {
        try {
            return (long) EVP_PKEY_CTX_new_from_name.invokeExact(library, name, properties);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_CTX_new_from_name", t);
        }
    }

    private static final MethodHandle EVP_PKEY_CTX_free = LIBCRYPTO.function("EVP_PKEY_CTX_free", VOID, LONG);
    /** Calls {@code void EVP_PKEY_CTX_free(EVP_PKEY_CTX *context)}. */
    public static void EVP_PKEY_CTX_free(long context) {
        try {
            long _ = (long) EVP_PKEY_CTX_free.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_CTX_free", t);
        }
    }

    private static final MethodHandle EVP_PKEY_keygen_init = LIBCRYPTO.function("EVP_PKEY_keygen_init", INT, LONG);
    /** Calls {@code int EVP_PKEY_keygen_init(EVP_PKEY_CTX *context)}. */
    public static int EVP_PKEY_keygen_init(long context) {
        try {
            return (int) (long) EVP_PKEY_keygen_init.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_keygen_init", t);
        }
    }

    private static final MethodHandle EVP_PKEY_CTX_set_group_name =
            LIBCRYPTO.function("EVP_PKEY_CTX_set_group_name", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_CTX_set_group_name(EVP_PKEY_CTX *context, const char *name)}. */
    public static int EVP_PKEY_CTX_set_group_name(long context, long name) {
        try {
            return (int) (long) EVP_PKEY_CTX_set_group_name.invokeExact(context, name);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_CTX_set_group_name", t);
        }
    }

    private static final MethodHandle EVP_PKEY_generate = LIBCRYPTO.function("EVP_PKEY_generate", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_generate(EVP_PKEY_CTX *context, EVP_PKEY **key)}. */
    public static int EVP_PKEY_generate(long context, long key) {
        try {
            return (int) (long) EVP_PKEY_generate.invokeExact(context, key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_generate", t);
        }
    }

    private static final MethodHandle EVP_PKEY_sign_init = LIBCRYPTO.function("EVP_PKEY_sign_init", INT, LONG);
    /** Calls {@code int EVP_PKEY_sign_init(EVP_PKEY_CTX *context)}. */
    public static int EVP_PKEY_sign_init(long context) {
        try {
            return (int) (long) EVP_PKEY_sign_init.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_sign_init", t);
        }
    }

    private static final MethodHandle EVP_PKEY_sign =
            LIBCRYPTO.function("EVP_PKEY_sign", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_PKEY_sign(EVP_PKEY_CTX *context, unsigned char *signature, size_t *signatureLength, const
     * unsigned char *data, size_t length)}.
     */
    public static int EVP_PKEY_sign(long context, long signature, long signatureLength, long data, long length) {
        try {
            return (int) (long) EVP_PKEY_sign.invokeExact(context, signature, signatureLength, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_sign", t);
        }
    }

    private static final MethodHandle EVP_PKEY_verify_init = LIBCRYPTO.function("EVP_PKEY_verify_init", INT, LONG);
    /** Calls {@code int EVP_PKEY_verify_init(EVP_PKEY_CTX *context)}. */
    public static int EVP_PKEY_verify_init(long context) {
        try {
            return (int) (long) EVP_PKEY_verify_init.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_verify_init", t);
        }
    }

    private static final MethodHandle EVP_PKEY_verify =
            LIBCRYPTO.function("EVP_PKEY_verify", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_PKEY_verify(EVP_PKEY_CTX *context, const unsigned char *signature, size_t signatureLength,
     * const unsigned char *data, size_t length)}.
     */
    public static int EVP_PKEY_verify(long context, long signature, long signatureLength, long data, long length) {
        try {
            return (int) (long) EVP_PKEY_verify.invokeExact(context, signature, signatureLength, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_verify", t);
        }
    }

    private static final MethodHandle EVP_PKEY_derive_init = LIBCRYPTO.function("EVP_PKEY_derive_init", INT, LONG);
    /** Calls {@code int EVP_PKEY_derive_init(EVP_PKEY_CTX *context)}. */
    public static int EVP_PKEY_derive_init(long context) {
        try {
            return (int) (long) EVP_PKEY_derive_init.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_derive_init", t);
        }
    }

    private static final MethodHandle EVP_PKEY_derive_set_peer =
            LIBCRYPTO.function("EVP_PKEY_derive_set_peer", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_derive_set_peer(EVP_PKEY_CTX *context, EVP_PKEY *peer)}. */
    public static int EVP_PKEY_derive_set_peer(long context, long peer) {
        try {
            return (int) (long) EVP_PKEY_derive_set_peer.invokeExact(context, peer);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_derive_set_peer", t);
        }
    }

    private static final MethodHandle EVP_PKEY_derive = LIBCRYPTO.function("EVP_PKEY_derive", INT, LONG, LONG, LONG);
    /** Calls {@code int EVP_PKEY_derive(EVP_PKEY_CTX *context, unsigned char *secret, size_t *length)}. */
    public static int EVP_PKEY_derive(long context, long secret, long length) {
        try {
            return (int) (long) EVP_PKEY_derive.invokeExact(context, secret, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_derive", t);
        }
    }

    private static final MethodHandle EVP_PKEY_encapsulate_init =
            LIBCRYPTO.function("EVP_PKEY_encapsulate_init", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_encapsulate_init(EVP_PKEY_CTX *context, const OSSL_PARAM parameters[])}. */
    public static int EVP_PKEY_encapsulate_init(long context, long parameters) {
        try {
            return (int) (long) EVP_PKEY_encapsulate_init.invokeExact(context, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_encapsulate_init", t);
        }
    }

    private static final MethodHandle EVP_PKEY_encapsulate =
            LIBCRYPTO.function("EVP_PKEY_encapsulate", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_PKEY_encapsulate(EVP_PKEY_CTX *context, unsigned char *wrapped, size_t *wrappedLength,
     * unsigned char *secret, size_t *secretLength)}.
     */
    public static int EVP_PKEY_encapsulate(
            long context, long wrapped, long wrappedLength, long secret, long secretLength) {
        try {
            return (int) (long) EVP_PKEY_encapsulate.invokeExact(context, wrapped, wrappedLength, secret, secretLength);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_encapsulate", t);
        }
    }

    private static final MethodHandle EVP_PKEY_decapsulate_init =
            LIBCRYPTO.function("EVP_PKEY_decapsulate_init", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_decapsulate_init(EVP_PKEY_CTX *context, const OSSL_PARAM parameters[])}. */
    public static int EVP_PKEY_decapsulate_init(long context, long parameters) {
        try {
            return (int) (long) EVP_PKEY_decapsulate_init.invokeExact(context, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_decapsulate_init", t);
        }
    }

    private static final MethodHandle EVP_PKEY_decapsulate =
            LIBCRYPTO.function("EVP_PKEY_decapsulate", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_PKEY_decapsulate(EVP_PKEY_CTX *context, unsigned char *secret, size_t *secretLength, const
     * unsigned char *wrapped, size_t wrappedLength)}.
     */
    public static int EVP_PKEY_decapsulate(
            long context, long secret, long secretLength, long wrapped, long wrappedLength) {
        try {
            return (int) (long) EVP_PKEY_decapsulate.invokeExact(context, secret, secretLength, wrapped, wrappedLength);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_decapsulate", t);
        }
    }

    private static final MethodHandle EVP_MD_CTX_new = LIBCRYPTO.function("EVP_MD_CTX_new", LONG);
    /** Calls {@code EVP_MD_CTX *EVP_MD_CTX_new(void)}. */
    public static long EVP_MD_CTX_new() {
        try {
            return (long) EVP_MD_CTX_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MD_CTX_new", t);
        }
    }

    private static final MethodHandle EVP_MD_CTX_free = LIBCRYPTO.function("EVP_MD_CTX_free", VOID, LONG);
    /** Calls {@code void EVP_MD_CTX_free(EVP_MD_CTX *context)}. */
    public static void EVP_MD_CTX_free(long context) {
        try {
            long _ = (long) EVP_MD_CTX_free.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MD_CTX_free", t);
        }
    }

    private static final MethodHandle EVP_DigestSignInit =
            LIBCRYPTO.function("EVP_DigestSignInit", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_DigestSignInit(EVP_MD_CTX *context, EVP_PKEY_CTX **keyContext, const EVP_MD *digest, ENGINE
     * *engine, EVP_PKEY *key)}.
     */
    public static int EVP_DigestSignInit(long context, long keyContext, long digest, long engine, long key) {
        try {
            return (int) (long) EVP_DigestSignInit.invokeExact(context, keyContext, digest, engine, key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DigestSignInit", t);
        }
    }

    private static final MethodHandle EVP_DigestSign =
            LIBCRYPTO.function("EVP_DigestSign", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_DigestSign(EVP_MD_CTX *context, unsigned char *signature, size_t *signatureLength, const
     * unsigned char *data, size_t length)}.
     */
    public static int EVP_DigestSign(long context, long signature, long signatureLength, long data, long length) {
        try {
            return (int) (long) EVP_DigestSign.invokeExact(context, signature, signatureLength, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DigestSign", t);
        }
    }

    private static final MethodHandle EVP_DigestVerifyInit =
            LIBCRYPTO.function("EVP_DigestVerifyInit", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_DigestVerifyInit(EVP_MD_CTX *context, EVP_PKEY_CTX **keyContext, const EVP_MD *digest,
     * ENGINE *engine, EVP_PKEY *key)}.
     */
    public static int EVP_DigestVerifyInit(long context, long keyContext, long digest, long engine, long key) {
        try {
            return (int) (long) EVP_DigestVerifyInit.invokeExact(context, keyContext, digest, engine, key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DigestVerifyInit", t);
        }
    }

    private static final MethodHandle EVP_DigestVerify =
            LIBCRYPTO.function("EVP_DigestVerify", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_DigestVerify(EVP_MD_CTX *context, const unsigned char *signature, size_t signatureLength,
     * const unsigned char *data, size_t length)}.
     */
    public static int EVP_DigestVerify(long context, long signature, long signatureLength, long data, long length) {
        try {
            return (int) (long) EVP_DigestVerify.invokeExact(context, signature, signatureLength, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DigestVerify", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_new = LIBCRYPTO.function("X509_STORE_CTX_new", LONG);
    /** Calls {@code X509_STORE_CTX *X509_STORE_CTX_new(void)}. */
    public static long X509_STORE_CTX_new() {
        try {
            return (long) X509_STORE_CTX_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_new", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_free = LIBCRYPTO.function("X509_STORE_CTX_free", VOID, LONG);
    /** Calls {@code void X509_STORE_CTX_free(X509_STORE_CTX *context)}. */
    public static void X509_STORE_CTX_free(long context) {
        try {
            long _ = (long) X509_STORE_CTX_free.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_free", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_init =
            LIBCRYPTO.function("X509_STORE_CTX_init", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int X509_STORE_CTX_init(X509_STORE_CTX *context, X509_STORE *store, X509 *certificate,
     * STACK_OF(X509) *others)}.
     */
    public static int X509_STORE_CTX_init(long context, long store, long certificate, long others) {
        try {
            return (int) (long) X509_STORE_CTX_init.invokeExact(context, store, certificate, others);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_init", t);
        }
    }

    private static final MethodHandle X509_verify_cert = LIBCRYPTO.function("X509_verify_cert", INT, LONG);
    /** Calls {@code int X509_verify_cert(X509_STORE_CTX *context)}. */
    public static int X509_verify_cert(long context) {
        try {
            return (int) (long) X509_verify_cert.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_verify_cert", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_get_error =
            LIBCRYPTO.function("X509_STORE_CTX_get_error", INT, LONG);
    /** Calls {@code int X509_STORE_CTX_get_error(const X509_STORE_CTX *context)}. */
    public static int X509_STORE_CTX_get_error(long context) {
        try {
            return (int) (long) X509_STORE_CTX_get_error.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_get_error", t);
        }
    }

    private static final MethodHandle d2i_X509 = LIBCRYPTO.function("d2i_X509", LONG, LONG, LONG, LONG);
    /** Calls {@code X509 *d2i_X509(X509 **certificate, const unsigned char **der, long length)}. */
    public static long d2i_X509(long certificate, long der, long length) {
        try {
            return (long) d2i_X509.invokeExact(certificate, der, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("d2i_X509", t);
        }
    }

    private static final MethodHandle i2d_X509 = LIBCRYPTO.function("i2d_X509", INT, LONG, LONG);
    /** Calls {@code int i2d_X509(const X509 *certificate, unsigned char **der)}. */
    public static int i2d_X509(long certificate, long der) {
        try {
            return (int) (long) i2d_X509.invokeExact(certificate, der);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("i2d_X509", t);
        }
    }

    private static final MethodHandle EVP_CIPHER_CTX_ctrl =
            LIBCRYPTO.function("EVP_CIPHER_CTX_ctrl", INT, LONG, INT, INT, LONG);
    /** Calls {@code int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *context, int type, int number, void *pointer)}. */
    public static int EVP_CIPHER_CTX_ctrl(long context, int type, int number, long pointer) {
        try {
            return (int) (long) EVP_CIPHER_CTX_ctrl.invokeExact(context, (long) type, (long) number, pointer);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_CIPHER_CTX_ctrl", t);
        }
    }

    private static final MethodHandle EVP_MD_fetch = LIBCRYPTO.function("EVP_MD_fetch", LONG, LONG, LONG, LONG);
    /** Calls {@code EVP_MD *EVP_MD_fetch(OSSL_LIB_CTX *context, const char *algorithm, const char *properties)}. */
    public static long EVP_MD_fetch(long context, long algorithm, long properties) {
        try {
            return (long) EVP_MD_fetch.invokeExact(context, algorithm, properties);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MD_fetch", t);
        }
    }

    private static final MethodHandle EVP_MD_free = LIBCRYPTO.function("EVP_MD_free", VOID, LONG);
    /** Calls {@code void EVP_MD_free(EVP_MD *digest)}. */
    public static void EVP_MD_free(long digest) {
        try {
            long _ = (long) EVP_MD_free.invokeExact(digest);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_MD_free", t);
        }
    }

    private static final MethodHandle EVP_DigestInit_ex2 =
            LIBCRYPTO.function("EVP_DigestInit_ex2", INT, LONG, LONG, LONG);
    /** Calls {@code int EVP_DigestInit_ex2(EVP_MD_CTX *context, const EVP_MD *digest, const OSSL_PARAM *params)}. */
    public static int EVP_DigestInit_ex2(long context, long digest, long parameters) {
        try {
            return (int) (long) EVP_DigestInit_ex2.invokeExact(context, digest, parameters);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DigestInit_ex2", t);
        }
    }

    private static final MethodHandle EVP_DigestUpdate = LIBCRYPTO.function("EVP_DigestUpdate", INT, LONG, LONG, LONG);
    /** Calls {@code int EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t length)}. */
    public static int EVP_DigestUpdate(long context, long data, long length) {
        try {
            return (int) (long) EVP_DigestUpdate.invokeExact(context, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DigestUpdate", t);
        }
    }

    private static final MethodHandle EVP_DigestFinal_ex =
            LIBCRYPTO.function("EVP_DigestFinal_ex", INT, LONG, LONG, LONG);
    /** Calls {@code int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *out, unsigned int *outLength)}. */
    public static int EVP_DigestFinal_ex(long context, long out, long outLength) {
        try {
            return (int) (long) EVP_DigestFinal_ex.invokeExact(context, out, outLength);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_DigestFinal_ex", t);
        }
    }
}
