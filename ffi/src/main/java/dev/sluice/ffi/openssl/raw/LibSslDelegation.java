package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions through which the owner of a connection chooses certificates, judges those of its peer, and reads what
 * the peer offered, one method handle per C function, named after it. Raw calls: pointers are {@code long} addresses,
 * nothing is checked. Linked only where handshakes are delegated.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslDelegation {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslDelegation() {}

    private static final MethodHandle SSL_CTX_set_cert_cb =
            LIBSSL.function("SSL_CTX_set_cert_cb", VOID, LONG, LONG, LONG);
    /** Calls {@code void SSL_CTX_set_cert_cb(SSL_CTX *context, int (*callback)(SSL *, void *), void *argument)}. */
    public static void SSL_CTX_set_cert_cb(long context, long callback, long argument) {
        try {
            long _ = (long) SSL_CTX_set_cert_cb.invokeExact(context, callback, argument);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_cert_cb", t);
        }
    }

    private static final MethodHandle SSL_use_cert_and_key =
            LIBSSL.function("SSL_use_cert_and_key", INT, LONG, LONG, LONG, LONG, INT);
    /** Calls {@code int SSL_use_cert_and_key(SSL *ssl, X509 *x509, EVP_PKEY *key, void *chain, int override)}. */
    public static int SSL_use_cert_and_key(long ssl, long x509, long key, long chain, int override) {
        try {
            return (int) (long) SSL_use_cert_and_key.invokeExact(ssl, x509, key, chain, (long) override);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_use_cert_and_key", t);
        }
    }

    private static final MethodHandle SSL_get_sigalgs =
            LIBSSL.function("SSL_get_sigalgs", INT, LONG, INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int SSL_get_sigalgs(SSL *ssl, int index, int *sign, int *hash, int *signHash, uchar *low, uchar
     * *high)}.
     */
    public static int SSL_get_sigalgs(long ssl, int index, long sign, long hash, long signHash, long low, long high) {
        try {
            return (int) (long) SSL_get_sigalgs.invokeExact(ssl, (long) index, sign, hash, signHash, low, high);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_sigalgs", t);
        }
    }

    private static final MethodHandle SSL_get_peer_cert_chain = LIBSSL.function("SSL_get_peer_cert_chain", LONG, LONG);
    /** Calls {@code STACK_OF(X509) *SSL_get_peer_cert_chain(const SSL *ssl)}. */
    public static long SSL_get_peer_cert_chain(long ssl) {
        try {
            return (long) SSL_get_peer_cert_chain.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_peer_cert_chain", t);
        }
    }

    private static final MethodHandle SSL_get0_peer_CA_list = LIBSSL.function("SSL_get0_peer_CA_list", LONG, LONG);
    /** Calls {@code const STACK_OF(X509_NAME) *SSL_get0_peer_CA_list(const SSL *ssl)}. */
    public static long SSL_get0_peer_CA_list(long ssl) {
        try {
            return (long) SSL_get0_peer_CA_list.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get0_peer_CA_list", t);
        }
    }

    private static final MethodHandle SSL_export_keying_material =
            LIBSSL.function("SSL_export_keying_material", INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG, INT);
    /**
     * Calls {@code int SSL_export_keying_material(SSL *ssl, uchar *out, size_t length, const char *label, size_t
     * labelLength, const uchar *context, size_t contextLength, int useContext)}.
     */
    public static int SSL_export_keying_material(
            long ssl,
            long out,
            long length,
            long label,
            long labelLength,
            long context,
            long contextLength,
            int useContext) {
        try {
            return (int) (long) SSL_export_keying_material.invokeExact(
                    ssl, out, length, label, labelLength, context, contextLength, (long) useContext);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_export_keying_material", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get_id = LIBSSL.function("SSL_SESSION_get_id", LONG, LONG, LONG);
    /** Calls {@code const unsigned char *SSL_SESSION_get_id(const SSL_SESSION *session, unsigned int *length)}. */
    public static long SSL_SESSION_get_id(long session, long length) {
        try {
            return (long) SSL_SESSION_get_id.invokeExact(session, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get_id", t);
        }
    }

    private static final MethodHandle SSL_CTX_get_ciphers = LIBSSL.function("SSL_CTX_get_ciphers", LONG, LONG);
    /** Calls {@code STACK_OF(SSL_CIPHER) *SSL_CTX_get_ciphers(const SSL_CTX *context)}. */
    public static long SSL_CTX_get_ciphers(long context) {
        try {
            return (long) SSL_CTX_get_ciphers.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_get_ciphers", t);
        }
    }

    private static final MethodHandle SSL_CIPHER_get_name = LIBSSL.function("SSL_CIPHER_get_name", LONG, LONG);
    /** Calls {@code const char *SSL_CIPHER_get_name(const SSL_CIPHER *cipher)}. */
    public static long SSL_CIPHER_get_name(long cipher) {
        try {
            return (long) SSL_CIPHER_get_name.invokeExact(cipher);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CIPHER_get_name", t);
        }
    }

    private static final MethodHandle X509_STORE_CTX_get0_untrusted =
            LIBCRYPTO.function("X509_STORE_CTX_get0_untrusted", LONG, LONG);
    /** Calls {@code STACK_OF(X509) *X509_STORE_CTX_get0_untrusted(const X509_STORE_CTX *context)}. */
    public static long X509_STORE_CTX_get0_untrusted(long context) {
        try {
            return (long) X509_STORE_CTX_get0_untrusted.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_STORE_CTX_get0_untrusted", t);
        }
    }

    private static final MethodHandle i2d_X509_NAME = LIBCRYPTO.function("i2d_X509_NAME", INT, LONG, LONG);
    /** Calls {@code int i2d_X509_NAME(const X509_NAME *name, unsigned char **out)}. */
    public static int i2d_X509_NAME(long name, long out) {
        try {
            return (int) (long) i2d_X509_NAME.invokeExact(name, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("i2d_X509_NAME", t);
        }
    }

    private static final MethodHandle X509_check_host =
            LIBCRYPTO.function("X509_check_host", INT, LONG, LONG, LONG, INT, LONG);
    /**
     * Calls {@code int X509_check_host(X509 *certificate, const char *name, size_t length, unsigned int flags, char
     * **peer)}.
     */
    public static int X509_check_host(long certificate, long name, long length, int flags, long peer) {
        try {
            return (int) (long) X509_check_host.invokeExact(certificate, name, length, (long) flags, peer);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_check_host", t);
        }
    }

    private static final MethodHandle X509_check_ip_asc = LIBCRYPTO.function("X509_check_ip_asc", INT, LONG, LONG, INT);
    /** Calls {@code int X509_check_ip_asc(X509 *certificate, const char *address, unsigned int flags)}. */
    public static int X509_check_ip_asc(long certificate, long address, int flags) {
        try {
            return (int) (long) X509_check_ip_asc.invokeExact(certificate, address, (long) flags);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("X509_check_ip_asc", t);
        }
    }

    private static final MethodHandle d2i_AutoPrivateKey =
            LIBCRYPTO.function("d2i_AutoPrivateKey", LONG, LONG, LONG, LONG);
    /** Calls {@code EVP_PKEY *d2i_AutoPrivateKey(EVP_PKEY **key, const unsigned char **der, long length)}. */
    public static long d2i_AutoPrivateKey(long key, long der, long length) {
        try {
            return (long) d2i_AutoPrivateKey.invokeExact(key, der, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("d2i_AutoPrivateKey", t);
        }
    }
}
