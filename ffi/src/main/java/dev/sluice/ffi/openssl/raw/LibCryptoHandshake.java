package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} that a TLS 1.3 handshake without libssl needs besides those of {@link
 * LibCryptoOperations}, one method handle per C function, named after it. Raw calls: pointers are {@code long}
 * addresses, nothing is checked. Linked only where such handshakes are enabled.
 *
 * <p>The hash functions over the caller's memory are deprecated in favor of EVP, whose contexts cost an allocation and
 * a look-up each; an OpenSSL built without deprecated functions lacks them.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoHandshake {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoHandshake() {}

    /** Returns whether this OpenSSL has the deprecated hash functions. */
    public static boolean hasHashes() {
        NativeLibrary library = OpenSsl.require().libcrypto();
        return library.has("SHA256_Init") && library.has("SHA384_Init");
    }

    private static final MethodHandle SHA256_Init = LIBCRYPTO.criticalFunction("SHA256_Init", INT, LONG);
    /** Calls {@code int SHA256_Init(SHA256_CTX *state)}. A leaf call. */
    public static int SHA256_Init(long state) {
        try {
            return (int) (long) SHA256_Init.invokeExact(state);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SHA256_Init", t);
        }
    }

    private static final MethodHandle SHA256_Update =
            LIBCRYPTO.criticalFunction("SHA256_Update", INT, LONG, LONG, LONG);
    /** Calls {@code int SHA256_Update(SHA256_CTX *state, const void *data, size_t length)}. A leaf call. */
    public static int SHA256_Update(long state, long data, long length) {
        try {
            return (int) (long) SHA256_Update.invokeExact(state, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SHA256_Update", t);
        }
    }

    private static final MethodHandle SHA256_Final = LIBCRYPTO.criticalFunction("SHA256_Final", INT, LONG, LONG);
    /** Calls {@code int SHA256_Final(unsigned char *out, SHA256_CTX *state)}. A leaf call. */
    public static int SHA256_Final(long out, long state) {
        try {
            return (int) (long) SHA256_Final.invokeExact(out, state);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SHA256_Final", t);
        }
    }

    private static final MethodHandle SHA384_Init = LIBCRYPTO.criticalFunction("SHA384_Init", INT, LONG);
    /** Calls {@code int SHA384_Init(SHA512_CTX *state)}. A leaf call. */
    public static int SHA384_Init(long state) {
        try {
            return (int) (long) SHA384_Init.invokeExact(state);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SHA384_Init", t);
        }
    }

    private static final MethodHandle SHA384_Update =
            LIBCRYPTO.criticalFunction("SHA384_Update", INT, LONG, LONG, LONG);
    /** Calls {@code int SHA384_Update(SHA512_CTX *state, const void *data, size_t length)}. A leaf call. */
    public static int SHA384_Update(long state, long data, long length) {
        try {
            return (int) (long) SHA384_Update.invokeExact(state, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SHA384_Update", t);
        }
    }

    private static final MethodHandle SHA384_Final = LIBCRYPTO.criticalFunction("SHA384_Final", INT, LONG, LONG);
    /** Calls {@code int SHA384_Final(unsigned char *out, SHA512_CTX *state)}. A leaf call. */
    public static int SHA384_Final(long out, long state) {
        try {
            return (int) (long) SHA384_Final.invokeExact(out, state);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SHA384_Final", t);
        }
    }

    private static final MethodHandle EVP_PKEY_new_raw_public_key_ex =
            LIBCRYPTO.function("EVP_PKEY_new_raw_public_key_ex", LONG, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code EVP_PKEY *EVP_PKEY_new_raw_public_key_ex(OSSL_LIB_CTX *library, const char *type, const char
     * *properties, const unsigned char *key, size_t length)}.
     */
    public static long EVP_PKEY_new_raw_public_key_ex(long library, long type, long properties, long key, long length) {
        try {
            return (long) EVP_PKEY_new_raw_public_key_ex.invokeExact(library, type, properties, key, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_new_raw_public_key_ex", t);
        }
    }

    private static final MethodHandle RAND_priv_bytes = LIBCRYPTO.function("RAND_priv_bytes", INT, LONG, INT);
    /** Calls {@code int RAND_priv_bytes(unsigned char *buffer, int length)}. */
    public static int RAND_priv_bytes(long buffer, int length) {
        try {
            return (int) (long) RAND_priv_bytes.invokeExact(buffer, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("RAND_priv_bytes", t);
        }
    }

    private static final MethodHandle EVP_PKEY_new = LIBCRYPTO.function("EVP_PKEY_new", LONG);
    /** Calls {@code EVP_PKEY *EVP_PKEY_new(void)}. */
    public static long EVP_PKEY_new() {
        try {
            return (long) EVP_PKEY_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_new", t);
        }
    }

    private static final MethodHandle EVP_PKEY_copy_parameters =
            LIBCRYPTO.function("EVP_PKEY_copy_parameters", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_copy_parameters(EVP_PKEY *to, const EVP_PKEY *from)}. */
    public static int EVP_PKEY_copy_parameters(long to, long from) {
        try {
            return (int) (long) EVP_PKEY_copy_parameters.invokeExact(to, from);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_copy_parameters", t);
        }
    }

    private static final MethodHandle EVP_PKEY_set1_encoded_public_key =
            LIBCRYPTO.function("EVP_PKEY_set1_encoded_public_key", INT, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_PKEY_set1_encoded_public_key(EVP_PKEY *key, const unsigned char *encoded, size_t length)}.
     */
    public static int EVP_PKEY_set1_encoded_public_key(long key, long encoded, long length) {
        try {
            return (int) (long) EVP_PKEY_set1_encoded_public_key.invokeExact(key, encoded, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_set1_encoded_public_key", t);
        }
    }

    private static final MethodHandle EVP_PKEY_get_octet_string_param =
            LIBCRYPTO.function("EVP_PKEY_get_octet_string_param", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EVP_PKEY_get_octet_string_param(const EVP_PKEY *key, const char *name, unsigned char *out,
     * size_t room, size_t *length)}.
     */
    public static int EVP_PKEY_get_octet_string_param(long key, long name, long out, long room, long length) {
        try {
            return (int) (long) EVP_PKEY_get_octet_string_param.invokeExact(key, name, out, room, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_get_octet_string_param", t);
        }
    }

    private static final MethodHandle EVP_PKEY_get_group_name =
            LIBCRYPTO.function("EVP_PKEY_get_group_name", INT, LONG, LONG, LONG, LONG);
    /** Calls {@code int EVP_PKEY_get_group_name(const EVP_PKEY *key, char *name, size_t room, size_t *length)}. */
    public static int EVP_PKEY_get_group_name(long key, long name, long room, long length) {
        try {
            return (int) (long) EVP_PKEY_get_group_name.invokeExact(key, name, room, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_get_group_name", t);
        }
    }

    private static final MethodHandle EVP_PKEY_CTX_set_rsa_padding =
            LIBCRYPTO.function("EVP_PKEY_CTX_set_rsa_padding", INT, LONG, INT);
    /** Calls {@code int EVP_PKEY_CTX_set_rsa_padding(EVP_PKEY_CTX *context, int padding)}. */
    public static int EVP_PKEY_CTX_set_rsa_padding(long context, int padding) {
        try {
            return (int) (long) EVP_PKEY_CTX_set_rsa_padding.invokeExact(context, (long) padding);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_CTX_set_rsa_padding", t);
        }
    }

    private static final MethodHandle EVP_PKEY_CTX_set_rsa_pss_saltlen =
            LIBCRYPTO.function("EVP_PKEY_CTX_set_rsa_pss_saltlen", INT, LONG, INT);
    /** Calls {@code int EVP_PKEY_CTX_set_rsa_pss_saltlen(EVP_PKEY_CTX *context, int length)}. */
    public static int EVP_PKEY_CTX_set_rsa_pss_saltlen(long context, int length) {
        try {
            return (int) (long) EVP_PKEY_CTX_set_rsa_pss_saltlen.invokeExact(context, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_CTX_set_rsa_pss_saltlen", t);
        }
    }

    private static final MethodHandle EVP_PKEY_CTX_set_signature_md =
            LIBCRYPTO.function("EVP_PKEY_CTX_set_signature_md", INT, LONG, LONG);
    /** Calls {@code int EVP_PKEY_CTX_set_signature_md(EVP_PKEY_CTX *context, const EVP_MD *digest)}. */
    public static int EVP_PKEY_CTX_set_signature_md(long context, long digest) {
        try {
            return (int) (long) EVP_PKEY_CTX_set_signature_md.invokeExact(context, digest);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_CTX_set_signature_md", t);
        }
    }

    private static final MethodHandle EVP_sha384 = LIBCRYPTO.function("EVP_sha384", LONG);
    /** Calls {@code const EVP_MD *EVP_sha384(void)}. */
    public static long EVP_sha384() {
        try {
            return (long) EVP_sha384.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_sha384", t);
        }
    }

    private static final MethodHandle EVP_sha512 = LIBCRYPTO.function("EVP_sha512", LONG);
    /** Calls {@code const EVP_MD *EVP_sha512(void)}. */
    public static long EVP_sha512() {
        try {
            return (long) EVP_sha512.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_sha512", t);
        }
    }
}
