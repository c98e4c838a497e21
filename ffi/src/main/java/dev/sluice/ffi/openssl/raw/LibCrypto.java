package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} in use, one method handle per C function, named after it.
 *
 * <p>Raw calls: pointers are {@code long} addresses, 0 is NULL, nothing is checked. Other modules use the typed owners
 * of this package, except on the data path. Each binding has the name of its manual page.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCrypto {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCrypto() {}

    // ---- version and errors
    private static final MethodHandle EVP_default_properties_is_fips_enabled =
            LIBCRYPTO.function("EVP_default_properties_is_fips_enabled", INT, LONG);
    /** Calls {@code int EVP_default_properties_is_fips_enabled(OSSL_LIB_CTX *libctx)}. */
    public static int EVP_default_properties_is_fips_enabled(long library) {
        try {
            return (int) (long) EVP_default_properties_is_fips_enabled.invokeExact(library);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_default_properties_is_fips_enabled", t);
        }
    }

    private static final MethodHandle OpenSSL_version = LIBCRYPTO.function("OpenSSL_version", LONG, INT);
    /** Calls {@code const char *OpenSSL_version(int type)}. */
    public static long OpenSSL_version(int type) {
        try {
            return (long) OpenSSL_version.invokeExact((long) type);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OpenSSL_version", t);
        }
    }

    private static final MethodHandle ERR_clear_error = LIBCRYPTO.criticalFunction("ERR_clear_error", VOID);
    /** Calls {@code void ERR_clear_error(void)}. A leaf call: short, never blocks, never calls back. */
    public static void ERR_clear_error() {
        try {
            long _ = (long) ERR_clear_error.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ERR_clear_error", t);
        }
    }

    private static final MethodHandle ERR_peek_error = LIBCRYPTO.criticalFunction("ERR_peek_error", LONG);
    /** Calls {@code unsigned long ERR_peek_error(void)}. A leaf call: short, never blocks, never calls back. */
    public static long ERR_peek_error() {
        try {
            return (long) ERR_peek_error.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ERR_peek_error", t);
        }
    }

    private static final MethodHandle ERR_get_error_all =
            LIBCRYPTO.function("ERR_get_error_all", LONG, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code unsigned long ERR_get_error_all(const char **file, int *line, const char **func, const char **data,
     * int *flags)}.
     */
    public static long ERR_get_error_all(long file, long line, long func, long data, long flags) {
        try {
            return (long) ERR_get_error_all.invokeExact(file, line, func, data, flags);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ERR_get_error_all", t);
        }
    }

    private static final MethodHandle ERR_error_string_n =
            LIBCRYPTO.function("ERR_error_string_n", VOID, LONG, LONG, LONG);
    /** Calls {@code void ERR_error_string_n(unsigned long code, char *buffer, size_t capacity)}. */
    public static void ERR_error_string_n(long code, long buffer, long capacity) {
        try {
            long _ = (long) ERR_error_string_n.invokeExact(code, buffer, capacity);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ERR_error_string_n", t);
        }
    }

    // ---- memory
    private static final MethodHandle CRYPTO_zalloc = LIBCRYPTO.function("CRYPTO_zalloc", LONG, LONG, LONG, INT);
    /** Calls {@code void *CRYPTO_zalloc(size_t size, const char *file, int line)}. */
    public static long CRYPTO_zalloc(long size, long file, int line) {
        try {
            return (long) CRYPTO_zalloc.invokeExact(size, file, (long) line);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("CRYPTO_zalloc", t);
        }
    }

    private static final MethodHandle CRYPTO_clear_free =
            LIBCRYPTO.function("CRYPTO_clear_free", VOID, LONG, LONG, LONG, INT);
    /** Calls {@code void CRYPTO_clear_free(void *memory, size_t size, const char *file, int line)}. */
    public static void CRYPTO_clear_free(long memory, long size, long file, int line) {
        try {
            long _ = (long) CRYPTO_clear_free.invokeExact(memory, size, file, (long) line);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("CRYPTO_clear_free", t);
        }
    }

    // ---- BIO
    private static final MethodHandle BIO_new_bio_pair =
            LIBCRYPTO.function("BIO_new_bio_pair", INT, LONG, LONG, LONG, LONG);
    /** Calls {@code int BIO_new_bio_pair(BIO **bio1, size_t bytes1, BIO **bio2, size_t bytes2)}. */
    public static int BIO_new_bio_pair(long bio1, long bytes1, long bio2, long bytes2) {
        try {
            return (int) (long) BIO_new_bio_pair.invokeExact(bio1, bytes1, bio2, bytes2);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_new_bio_pair", t);
        }
    }

    private static final MethodHandle BIO_free = LIBCRYPTO.function("BIO_free", INT, LONG);
    /** Calls {@code int BIO_free(BIO *bio)}. */
    public static int BIO_free(long bio) {
        try {
            return (int) (long) BIO_free.invokeExact(bio);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_free", t);
        }
    }

    private static final MethodHandle BIO_nread0 = LIBCRYPTO.criticalFunction("BIO_nread0", INT, LONG, LONG);
    /** Calls {@code int BIO_nread0(BIO *bio, char **out)}. A leaf call: short, never blocks, never calls back. */
    public static int BIO_nread0(long bio, long out) {
        try {
            return (int) (long) BIO_nread0.invokeExact(bio, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_nread0", t);
        }
    }

    private static final MethodHandle BIO_nread = LIBCRYPTO.criticalFunction("BIO_nread", INT, LONG, LONG, INT);
    /**
     * Calls {@code int BIO_nread(BIO *bio, char **out, int count)}. A leaf call: short, never blocks, never calls back.
     */
    public static int BIO_nread(long bio, long out, int count) {
        try {
            return (int) (long) BIO_nread.invokeExact(bio, out, (long) count);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_nread", t);
        }
    }

    private static final MethodHandle BIO_nwrite0 = LIBCRYPTO.criticalFunction("BIO_nwrite0", INT, LONG, LONG);
    /** Calls {@code int BIO_nwrite0(BIO *bio, char **out)}. A leaf call: short, never blocks, never calls back. */
    public static int BIO_nwrite0(long bio, long out) {
        try {
            return (int) (long) BIO_nwrite0.invokeExact(bio, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_nwrite0", t);
        }
    }

    private static final MethodHandle BIO_nwrite = LIBCRYPTO.criticalFunction("BIO_nwrite", INT, LONG, LONG, INT);
    /**
     * Calls {@code int BIO_nwrite(BIO *bio, char **out, int count)}. A leaf call: short, never blocks, never calls
     * back.
     */
    public static int BIO_nwrite(long bio, long out, int count) {
        try {
            return (int) (long) BIO_nwrite.invokeExact(bio, out, (long) count);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_nwrite", t);
        }
    }

    private static final MethodHandle BIO_ctrl = LIBCRYPTO.criticalFunction("BIO_ctrl", LONG, LONG, INT, LONG, LONG);
    /**
     * Calls {@code long BIO_ctrl(BIO *bio, int cmd, long larg, void *parg)}. A leaf call: short, never blocks, never
     * calls back.
     */
    public static long BIO_ctrl(long bio, int cmd, long larg, long parg) {
        try {
            return (long) BIO_ctrl.invokeExact(bio, (long) cmd, larg, parg);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_ctrl", t);
        }
    }

    private static final MethodHandle BIO_new_mem_buf = LIBCRYPTO.function("BIO_new_mem_buf", LONG, LONG, INT);
    /** Calls {@code BIO *BIO_new_mem_buf(const void *memory, int length)}. */
    public static long BIO_new_mem_buf(long memory, int length) {
        try {
            return (long) BIO_new_mem_buf.invokeExact(memory, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_new_mem_buf", t);
        }
    }

    private static final MethodHandle BIO_new = LIBCRYPTO.function("BIO_new", LONG, LONG);
    /** Calls {@code BIO *BIO_new(const BIO_METHOD *type)}. */
    public static long BIO_new(long type) {
        try {
            return (long) BIO_new.invokeExact(type);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_new", t);
        }
    }

    private static final MethodHandle BIO_s_mem = LIBCRYPTO.function("BIO_s_mem", LONG);
    /** Calls {@code const BIO_METHOD *BIO_s_mem(void)}. */
    public static long BIO_s_mem() {
        try {
            return (long) BIO_s_mem.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_s_mem", t);
        }
    }

    private static final MethodHandle BIO_number_read = LIBCRYPTO.function("BIO_number_read", LONG, LONG);
    /** Calls {@code uint64_t BIO_number_read(BIO *bio)}. */
    public static long BIO_number_read(long bio) {
        try {
            return (long) BIO_number_read.invokeExact(bio);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BIO_number_read", t);
        }
    }

    // ---- PEM
    private static final MethodHandle PEM_read_bio_X509 =
            LIBCRYPTO.function("PEM_read_bio_X509", LONG, LONG, LONG, LONG, LONG);
    /** Calls {@code X509 *PEM_read_bio_X509(BIO *bio, X509 **out, pem_password_cb *callback, void *user)}. */
    public static long PEM_read_bio_X509(long bio, long out, long callback, long user) {
        try {
            return (long) PEM_read_bio_X509.invokeExact(bio, out, callback, user);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("PEM_read_bio_X509", t);
        }
    }

    private static final MethodHandle PEM_read_bio_PrivateKey =
            LIBCRYPTO.function("PEM_read_bio_PrivateKey", LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code EVP_PKEY *PEM_read_bio_PrivateKey(BIO *bio, EVP_PKEY **out, pem_password_cb *callback, void *user)}.
     */
    public static long PEM_read_bio_PrivateKey(long bio, long out, long callback, long user) {
        try {
            return (long) PEM_read_bio_PrivateKey.invokeExact(bio, out, callback, user);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("PEM_read_bio_PrivateKey", t);
        }
    }

    private static final MethodHandle PEM_write_bio_X509 = LIBCRYPTO.function("PEM_write_bio_X509", INT, LONG, LONG);
    /** Calls {@code int PEM_write_bio_X509(BIO *bio, const X509 *certificate)}. */
    public static int PEM_write_bio_X509(long bio, long certificate) {
        try {
            return (int) (long) PEM_write_bio_X509.invokeExact(bio, certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("PEM_write_bio_X509", t);
        }
    }

    private static final MethodHandle PEM_write_bio_PrivateKey =
            LIBCRYPTO.function("PEM_write_bio_PrivateKey", INT, LONG, LONG, LONG, LONG, INT, LONG, LONG);
    /**
     * Calls {@code int PEM_write_bio_PrivateKey(BIO *bio, const EVP_PKEY *key, const EVP_CIPHER *cipher, const unsigned
     * char *password, int length, pem_password_cb *callback, void *user)}.
     */
    public static int PEM_write_bio_PrivateKey(
            long bio, long key, long cipher, long password, int length, long callback, long user) {
        try {
            return (int) (long)
                    PEM_write_bio_PrivateKey.invokeExact(bio, key, cipher, password, (long) length, callback, user);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("PEM_write_bio_PrivateKey", t);
        }
    }

    // ---- keys and digests
    private static final MethodHandle EVP_PKEY_Q_keygen =
            LIBCRYPTO.variadicFunction("EVP_PKEY_Q_keygen", LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code EVP_PKEY *EVP_PKEY_Q_keygen(void *context, const char *properties, const char *type, const char
     * *parameter)}.
     */
    public static long EVP_PKEY_Q_keygen(long context, long properties, long type, long parameter) {
        try {
            return (long) EVP_PKEY_Q_keygen.invokeExact(context, properties, type, parameter);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_Q_keygen", t);
        }
    }

    private static final MethodHandle EVP_PKEY_free = LIBCRYPTO.function("EVP_PKEY_free", VOID, LONG);
    /** Calls {@code void EVP_PKEY_free(EVP_PKEY *key)}. */
    public static void EVP_PKEY_free(long key) {
        try {
            long _ = (long) EVP_PKEY_free.invokeExact(key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_PKEY_free", t);
        }
    }

    private static final MethodHandle EVP_sha256 = LIBCRYPTO.function("EVP_sha256", LONG);
    /** Calls {@code const EVP_MD *EVP_sha256(void)}. */
    public static long EVP_sha256() {
        try {
            return (long) EVP_sha256.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EVP_sha256", t);
        }
    }

    // ---- certificates
    private static final MethodHandle X509_new = LIBCRYPTO.function("X509_new", LONG);
    /** Calls {@code X509 *X509_new(void)}. */
    public static long X509_new() {
        try {
            return (long) X509_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_new", t);
        }
    }

    private static final MethodHandle X509_free = LIBCRYPTO.function("X509_free", VOID, LONG);
    /** Calls {@code void X509_free(X509 *certificate)}. */
    public static void X509_free(long certificate) {
        try {
            long _ = (long) X509_free.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_free", t);
        }
    }

    private static final MethodHandle X509_get_subject_name = LIBCRYPTO.function("X509_get_subject_name", LONG, LONG);
    /** Calls {@code X509_NAME *X509_get_subject_name(const X509 *certificate)}. */
    public static long X509_get_subject_name(long certificate) {
        try {
            return (long) X509_get_subject_name.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get_subject_name", t);
        }
    }

    private static final MethodHandle X509_NAME_print_ex =
            LIBCRYPTO.function("X509_NAME_print_ex", INT, LONG, LONG, INT, LONG);
    /** Calls {@code int X509_NAME_print_ex(BIO *out, const X509_NAME *name, int indent, unsigned long flags)}. */
    public static int X509_NAME_print_ex(long out, long name, int indent, long flags) {
        try {
            return (int) (long) X509_NAME_print_ex.invokeExact(out, name, (long) indent, flags);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_NAME_print_ex", t);
        }
    }

    private static final MethodHandle X509_check_private_key =
            LIBCRYPTO.function("X509_check_private_key", INT, LONG, LONG);
    /** Calls {@code int X509_check_private_key(const X509 *certificate, const EVP_PKEY *key)}. */
    public static int X509_check_private_key(long certificate, long key) {
        try {
            return (int) (long) X509_check_private_key.invokeExact(certificate, key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_check_private_key", t);
        }
    }

    private static final MethodHandle X509_get0_notBefore = LIBCRYPTO.function("X509_get0_notBefore", LONG, LONG);
    /** Calls {@code const ASN1_TIME *X509_get0_notBefore(const X509 *certificate)}. */
    public static long X509_get0_notBefore(long certificate) {
        try {
            return (long) X509_get0_notBefore.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get0_notBefore", t);
        }
    }

    private static final MethodHandle X509_get0_notAfter = LIBCRYPTO.function("X509_get0_notAfter", LONG, LONG);
    /** Calls {@code const ASN1_TIME *X509_get0_notAfter(const X509 *certificate)}. */
    public static long X509_get0_notAfter(long certificate) {
        try {
            return (long) X509_get0_notAfter.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get0_notAfter", t);
        }
    }

    private static final MethodHandle X509_cmp_time = LIBCRYPTO.function("X509_cmp_time", INT, LONG, LONG);
    /** Calls {@code int X509_cmp_time(const ASN1_TIME *time, void *when)}. */
    public static int X509_cmp_time(long time, long when) {
        try {
            return (int) (long) X509_cmp_time.invokeExact(time, when);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_cmp_time", t);
        }
    }

    private static final MethodHandle ASN1_TIME_print = LIBCRYPTO.function("ASN1_TIME_print", INT, LONG, LONG);
    /** Calls {@code int ASN1_TIME_print(BIO *out, const ASN1_TIME *time)}. */
    public static int ASN1_TIME_print(long out, long time) {
        try {
            return (int) (long) ASN1_TIME_print.invokeExact(out, time);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ASN1_TIME_print", t);
        }
    }

    private static final MethodHandle X509_digest = LIBCRYPTO.function("X509_digest", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int X509_digest(const X509 *certificate, const EVP_MD *digest, unsigned char *out, unsigned int
     * *length)}.
     */
    public static int X509_digest(long certificate, long digest, long out, long length) {
        try {
            return (int) (long) X509_digest.invokeExact(certificate, digest, out, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_digest", t);
        }
    }

    private static final MethodHandle X509_STORE_add_cert = LIBCRYPTO.function("X509_STORE_add_cert", INT, LONG, LONG);
    /** Calls {@code int X509_STORE_add_cert(X509_STORE *store, X509 *certificate)}. */
    public static int X509_STORE_add_cert(long store, long certificate) {
        try {
            return (int) (long) X509_STORE_add_cert.invokeExact(store, certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_add_cert", t);
        }
    }

    private static final MethodHandle X509_verify_cert_error_string =
            LIBCRYPTO.function("X509_verify_cert_error_string", LONG, LONG);
    /** Calls {@code const char *X509_verify_cert_error_string(long code)}. */
    public static long X509_verify_cert_error_string(long code) {
        try {
            return (long) X509_verify_cert_error_string.invokeExact(code);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_verify_cert_error_string", t);
        }
    }

    private static final MethodHandle X509_VERIFY_PARAM_set1_ip_asc =
            LIBCRYPTO.function("X509_VERIFY_PARAM_set1_ip_asc", INT, LONG, LONG);
    /** Calls {@code int X509_VERIFY_PARAM_set1_ip_asc(X509_VERIFY_PARAM *parameters, const char *address)}. */
    public static int X509_VERIFY_PARAM_set1_ip_asc(long parameters, long address) {
        try {
            return (int) (long) X509_VERIFY_PARAM_set1_ip_asc.invokeExact(parameters, address);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_VERIFY_PARAM_set1_ip_asc", t);
        }
    }

    private static final MethodHandle OPENSSL_sk_new_null = LIBCRYPTO.function("OPENSSL_sk_new_null", LONG);
    /** Calls {@code void *OPENSSL_sk_new_null(void)}. */
    public static long OPENSSL_sk_new_null() {
        try {
            return (long) OPENSSL_sk_new_null.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OPENSSL_sk_new_null", t);
        }
    }

    private static final MethodHandle OPENSSL_sk_push = LIBCRYPTO.function("OPENSSL_sk_push", INT, LONG, LONG);
    /** Calls {@code int OPENSSL_sk_push(void *stack, const void *element)}. */
    public static int OPENSSL_sk_push(long stack, long element) {
        try {
            return (int) (long) OPENSSL_sk_push.invokeExact(stack, element);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OPENSSL_sk_push", t);
        }
    }

    private static final MethodHandle OPENSSL_sk_free = LIBCRYPTO.function("OPENSSL_sk_free", VOID, LONG);
    /** Calls {@code void OPENSSL_sk_free(void *stack)}. */
    public static void OPENSSL_sk_free(long stack) {
        try {
            long _ = (long) OPENSSL_sk_free.invokeExact(stack);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("OPENSSL_sk_free", t);
        }
    }

    // ---- certificate creation
    private static final MethodHandle X509_set_version = LIBCRYPTO.function("X509_set_version", INT, LONG, LONG);
    /** Calls {@code int X509_set_version(X509 *certificate, long version)}. */
    public static int X509_set_version(long certificate, long version) {
        try {
            return (int) (long) X509_set_version.invokeExact(certificate, version);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_set_version", t);
        }
    }

    private static final MethodHandle X509_get_serialNumber = LIBCRYPTO.function("X509_get_serialNumber", LONG, LONG);
    /** Calls {@code ASN1_INTEGER *X509_get_serialNumber(X509 *certificate)}. */
    public static long X509_get_serialNumber(long certificate) {
        try {
            return (long) X509_get_serialNumber.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_get_serialNumber", t);
        }
    }

    private static final MethodHandle ASN1_INTEGER_set_uint64 =
            LIBCRYPTO.function("ASN1_INTEGER_set_uint64", INT, LONG, LONG);
    /** Calls {@code int ASN1_INTEGER_set_uint64(ASN1_INTEGER *integer, uint64_t value)}. */
    public static int ASN1_INTEGER_set_uint64(long integer, long value) {
        try {
            return (int) (long) ASN1_INTEGER_set_uint64.invokeExact(integer, value);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ASN1_INTEGER_set_uint64", t);
        }
    }

    private static final MethodHandle X509_getm_notBefore = LIBCRYPTO.function("X509_getm_notBefore", LONG, LONG);
    /** Calls {@code ASN1_TIME *X509_getm_notBefore(const X509 *certificate)}. */
    public static long X509_getm_notBefore(long certificate) {
        try {
            return (long) X509_getm_notBefore.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_getm_notBefore", t);
        }
    }

    private static final MethodHandle X509_getm_notAfter = LIBCRYPTO.function("X509_getm_notAfter", LONG, LONG);
    /** Calls {@code ASN1_TIME *X509_getm_notAfter(const X509 *certificate)}. */
    public static long X509_getm_notAfter(long certificate) {
        try {
            return (long) X509_getm_notAfter.invokeExact(certificate);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_getm_notAfter", t);
        }
    }

    private static final MethodHandle ASN1_TIME_set = LIBCRYPTO.function("ASN1_TIME_set", LONG, LONG, LONG);
    /** Calls {@code ASN1_TIME *ASN1_TIME_set(ASN1_TIME *time, time_t seconds)}. */
    public static long ASN1_TIME_set(long time, long seconds) {
        try {
            return (long) ASN1_TIME_set.invokeExact(time, seconds);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ASN1_TIME_set", t);
        }
    }

    private static final MethodHandle X509_set_pubkey = LIBCRYPTO.function("X509_set_pubkey", INT, LONG, LONG);
    /** Calls {@code int X509_set_pubkey(X509 *certificate, EVP_PKEY *key)}. */
    public static int X509_set_pubkey(long certificate, long key) {
        try {
            return (int) (long) X509_set_pubkey.invokeExact(certificate, key);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_set_pubkey", t);
        }
    }

    private static final MethodHandle X509_set_issuer_name =
            LIBCRYPTO.function("X509_set_issuer_name", INT, LONG, LONG);
    /** Calls {@code int X509_set_issuer_name(X509 *certificate, const X509_NAME *name)}. */
    public static int X509_set_issuer_name(long certificate, long name) {
        try {
            return (int) (long) X509_set_issuer_name.invokeExact(certificate, name);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_set_issuer_name", t);
        }
    }

    private static final MethodHandle X509_NAME_add_entry_by_txt =
            LIBCRYPTO.function("X509_NAME_add_entry_by_txt", INT, LONG, LONG, INT, LONG, INT, INT, INT);
    /**
     * Calls {@code int X509_NAME_add_entry_by_txt(X509_NAME *name, const char *field, int type, const unsigned char
     * *bytes, int length, int location, int set)}.
     */
    public static int X509_NAME_add_entry_by_txt(
            long name, long field, int type, long bytes, int length, int location, int set) {
        try {
            return (int) (long) X509_NAME_add_entry_by_txt.invokeExact(
                    name, field, (long) type, bytes, (long) length, (long) location, (long) set);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_NAME_add_entry_by_txt", t);
        }
    }

    private static final MethodHandle X509V3_EXT_nconf_nid =
            LIBCRYPTO.function("X509V3_EXT_nconf_nid", LONG, LONG, LONG, INT, LONG);
    /**
     * Calls {@code X509_EXTENSION *X509V3_EXT_nconf_nid(void *configuration, void *context, int nid, const char
     * *value)}.
     */
    public static long X509V3_EXT_nconf_nid(long configuration, long context, int nid, long value) {
        try {
            return (long) X509V3_EXT_nconf_nid.invokeExact(configuration, context, (long) nid, value);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509V3_EXT_nconf_nid", t);
        }
    }

    private static final MethodHandle X509V3_EXT_nconf =
            LIBCRYPTO.function("X509V3_EXT_nconf", LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code X509_EXTENSION *X509V3_EXT_nconf(void *configuration, void *context, const char *name, const char
     * *value)}.
     */
    public static long X509V3_EXT_nconf(long configuration, long context, long name, long value) {
        try {
            return (long) X509V3_EXT_nconf.invokeExact(configuration, context, name, value);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509V3_EXT_nconf", t);
        }
    }

    private static final MethodHandle X509_add_ext = LIBCRYPTO.function("X509_add_ext", INT, LONG, LONG, INT);
    /** Calls {@code int X509_add_ext(X509 *certificate, X509_EXTENSION *extension, int location)}. */
    public static int X509_add_ext(long certificate, long extension, int location) {
        try {
            return (int) (long) X509_add_ext.invokeExact(certificate, extension, (long) location);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_add_ext", t);
        }
    }

    private static final MethodHandle X509_EXTENSION_free = LIBCRYPTO.function("X509_EXTENSION_free", VOID, LONG);
    /** Calls {@code void X509_EXTENSION_free(X509_EXTENSION *extension)}. */
    public static void X509_EXTENSION_free(long extension) {
        try {
            long _ = (long) X509_EXTENSION_free.invokeExact(extension);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_EXTENSION_free", t);
        }
    }

    private static final MethodHandle X509_sign = LIBCRYPTO.function("X509_sign", INT, LONG, LONG, LONG);
    /** Calls {@code int X509_sign(X509 *certificate, EVP_PKEY *key, const EVP_MD *digest)}. */
    public static int X509_sign(long certificate, long key, long digest) {
        try {
            return (int) (long) X509_sign.invokeExact(certificate, key, digest);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_sign", t);
        }
    }
}
