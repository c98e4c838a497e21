package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.ErrnoFunction;
import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The functions of {@code libssl} in use, one method handle per C function, named after it.
 *
 * <p>Raw calls: pointers are {@code long} addresses, 0 is NULL, nothing is checked. Other modules use the typed owners
 * of this package, except on the data path. Each binding has the name of its manual page.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSsl {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSsl() {}

    // ---- contexts
    private static final MethodHandle TLS_server_method = LIBSSL.function("TLS_server_method", LONG);
    /** Calls {@code const SSL_METHOD *TLS_server_method(void)}. */
    public static long TLS_server_method() {
        try {
            return (long) TLS_server_method.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("TLS_server_method", t);
        }
    }

    private static final MethodHandle TLS_client_method = LIBSSL.function("TLS_client_method", LONG);
    /** Calls {@code const SSL_METHOD *TLS_client_method(void)}. */
    public static long TLS_client_method() {
        try {
            return (long) TLS_client_method.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("TLS_client_method", t);
        }
    }

    private static final MethodHandle SSL_CTX_new = LIBSSL.function("SSL_CTX_new", LONG, LONG);
    /** Calls {@code SSL_CTX *SSL_CTX_new(const SSL_METHOD *method)}. */
    public static long SSL_CTX_new(long method) {
        try {
            return (long) SSL_CTX_new.invokeExact(method);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_new", t);
        }
    }

    private static final MethodHandle SSL_CTX_free = LIBSSL.function("SSL_CTX_free", VOID, LONG);
    /** Calls {@code void SSL_CTX_free(SSL_CTX *ctx)}. */
    public static void SSL_CTX_free(long ctx) {
        try {
            long _ = (long) SSL_CTX_free.invokeExact(ctx);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_free", t);
        }
    }

    private static final MethodHandle SSL_CTX_ctrl = LIBSSL.function("SSL_CTX_ctrl", LONG, LONG, INT, LONG, LONG);
    /** Calls {@code long SSL_CTX_ctrl(SSL_CTX *ctx, int cmd, long larg, void *parg)}. */
    public static long SSL_CTX_ctrl(long ctx, int cmd, long larg, long parg) {
        try {
            return (long) SSL_CTX_ctrl.invokeExact(ctx, (long) cmd, larg, parg);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_ctrl", t);
        }
    }

    private static final MethodHandle SSL_CTX_callback_ctrl =
            LIBSSL.function("SSL_CTX_callback_ctrl", LONG, LONG, INT, LONG);
    /** Calls {@code long SSL_CTX_callback_ctrl(SSL_CTX *ctx, int cmd, void *fp)}. */
    public static long SSL_CTX_callback_ctrl(long ctx, int cmd, long fp) {
        try {
            return (long) SSL_CTX_callback_ctrl.invokeExact(ctx, (long) cmd, fp);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_callback_ctrl", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_options = LIBSSL.function("SSL_CTX_set_options", LONG, LONG, LONG);
    /** Calls {@code uint64_t SSL_CTX_set_options(SSL_CTX *ctx, uint64_t options)}. */
    public static long SSL_CTX_set_options(long ctx, long options) {
        try {
            return (long) SSL_CTX_set_options.invokeExact(ctx, options);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_options", t);
        }
    }

    private static final MethodHandle SSL_CTX_use_cert_and_key =
            LIBSSL.function("SSL_CTX_use_cert_and_key", INT, LONG, LONG, LONG, LONG, INT);
    /**
     * Calls {@code int SSL_CTX_use_cert_and_key(SSL_CTX *ctx, X509 *x509, EVP_PKEY *key, void *chain, int override)}.
     */
    public static int SSL_CTX_use_cert_and_key(long ctx, long x509, long key, long chain, int override) {
        try {
            return (int) (long) SSL_CTX_use_cert_and_key.invokeExact(ctx, x509, key, chain, (long) override);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_use_cert_and_key", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_cipher_list =
            LIBSSL.function("SSL_CTX_set_cipher_list", INT, LONG, LONG);
    /** Calls {@code int SSL_CTX_set_cipher_list(SSL_CTX *ctx, const char *list)}. */
    public static int SSL_CTX_set_cipher_list(long ctx, long list) {
        try {
            return (int) (long) SSL_CTX_set_cipher_list.invokeExact(ctx, list);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_cipher_list", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_ciphersuites =
            LIBSSL.function("SSL_CTX_set_ciphersuites", INT, LONG, LONG);
    /** Calls {@code int SSL_CTX_set_ciphersuites(SSL_CTX *ctx, const char *list)}. */
    public static int SSL_CTX_set_ciphersuites(long ctx, long list) {
        try {
            return (int) (long) SSL_CTX_set_ciphersuites.invokeExact(ctx, list);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_ciphersuites", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_verify = LIBSSL.function("SSL_CTX_set_verify", VOID, LONG, INT, LONG);
    /** Calls {@code void SSL_CTX_set_verify(SSL_CTX *ctx, int mode, SSL_verify_cb *callback)}. */
    public static void SSL_CTX_set_verify(long ctx, int mode, long callback) {
        try {
            long _ = (long) SSL_CTX_set_verify.invokeExact(ctx, (long) mode, callback);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_verify", t);
        }
    }

    private static final MethodHandle SSL_CTX_get_cert_store = LIBSSL.function("SSL_CTX_get_cert_store", LONG, LONG);
    /** Calls {@code X509_STORE *SSL_CTX_get_cert_store(const SSL_CTX *ctx)}. */
    public static long SSL_CTX_get_cert_store(long ctx) {
        try {
            return (long) SSL_CTX_get_cert_store.invokeExact(ctx);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_get_cert_store", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_default_verify_paths =
            LIBSSL.function("SSL_CTX_set_default_verify_paths", INT, LONG);
    /** Calls {@code int SSL_CTX_set_default_verify_paths(SSL_CTX *ctx)}. */
    public static int SSL_CTX_set_default_verify_paths(long ctx) {
        try {
            return (int) (long) SSL_CTX_set_default_verify_paths.invokeExact(ctx);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_default_verify_paths", t);
        }
    }

    private static final MethodHandle SSL_CTX_add_client_CA = LIBSSL.function("SSL_CTX_add_client_CA", INT, LONG, LONG);
    /** Calls {@code int SSL_CTX_add_client_CA(SSL_CTX *ctx, X509 *authority)}. */
    public static int SSL_CTX_add_client_CA(long ctx, long authority) {
        try {
            return (int) (long) SSL_CTX_add_client_CA.invokeExact(ctx, authority);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_add_client_CA", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_session_id_context =
            LIBSSL.function("SSL_CTX_set_session_id_context", INT, LONG, LONG, INT);
    /** Calls {@code int SSL_CTX_set_session_id_context(SSL_CTX *ctx, const unsigned char *id, unsigned int length)}. */
    public static int SSL_CTX_set_session_id_context(long ctx, long id, int length) {
        try {
            return (int) (long) SSL_CTX_set_session_id_context.invokeExact(ctx, id, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_session_id_context", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_num_tickets =
            LIBSSL.function("SSL_CTX_set_num_tickets", INT, LONG, LONG);
    /** Calls {@code int SSL_CTX_set_num_tickets(SSL_CTX *ctx, size_t count)}. */
    public static int SSL_CTX_set_num_tickets(long ctx, long count) {
        try {
            return (int) (long) SSL_CTX_set_num_tickets.invokeExact(ctx, count);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_num_tickets", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_tlsext_ticket_key_evp_cb =
            LIBSSL.function("SSL_CTX_set_tlsext_ticket_key_evp_cb", INT, LONG, LONG);
    /**
     * Calls {@code int SSL_CTX_set_tlsext_ticket_key_evp_cb(SSL_CTX *ctx, int (*cb)(SSL *, unsigned char *, unsigned
     * char *, EVP_CIPHER_CTX *, EVP_MAC_CTX *, int))}.
     */
    public static int SSL_CTX_set_tlsext_ticket_key_evp_cb(long ctx, long callback) {
        try {
            return (int) (long) SSL_CTX_set_tlsext_ticket_key_evp_cb.invokeExact(ctx, callback);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_tlsext_ticket_key_evp_cb", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_timeout = LIBSSL.function("SSL_CTX_set_timeout", LONG, LONG, LONG);
    /** Calls {@code long SSL_CTX_set_timeout(SSL_CTX *ctx, long seconds)}. */
    public static long SSL_CTX_set_timeout(long ctx, long seconds) {
        try {
            return (long) SSL_CTX_set_timeout.invokeExact(ctx, seconds);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_timeout", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_alpn_protos =
            LIBSSL.function("SSL_CTX_set_alpn_protos", INT, LONG, LONG, INT);
    /** Calls {@code int SSL_CTX_set_alpn_protos(SSL_CTX *ctx, const unsigned char *list, unsigned int length)}. */
    public static int SSL_CTX_set_alpn_protos(long ctx, long list, int length) {
        try {
            return (int) (long) SSL_CTX_set_alpn_protos.invokeExact(ctx, list, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_alpn_protos", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_alpn_select_cb =
            LIBSSL.function("SSL_CTX_set_alpn_select_cb", VOID, LONG, LONG, LONG);
    /** Calls {@code void SSL_CTX_set_alpn_select_cb(SSL_CTX *ctx, callback *callback, void *arg)}. */
    public static void SSL_CTX_set_alpn_select_cb(long ctx, long callback, long arg) {
        try {
            long _ = (long) SSL_CTX_set_alpn_select_cb.invokeExact(ctx, callback, arg);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_alpn_select_cb", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_client_hello_cb =
            LIBSSL.function("SSL_CTX_set_client_hello_cb", VOID, LONG, LONG, LONG);
    /** Calls {@code void SSL_CTX_set_client_hello_cb(SSL_CTX *ctx, callback *callback, void *arg)}. */
    public static void SSL_CTX_set_client_hello_cb(long ctx, long callback, long arg) {
        try {
            long _ = (long) SSL_CTX_set_client_hello_cb.invokeExact(ctx, callback, arg);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_client_hello_cb", t);
        }
    }

    // ---- connections
    private static final MethodHandle SSL_new = LIBSSL.function("SSL_new", LONG, LONG);
    /** Calls {@code SSL *SSL_new(SSL_CTX *ctx)}. */
    public static long SSL_new(long ctx) {
        try {
            return (long) SSL_new.invokeExact(ctx);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_new", t);
        }
    }

    private static final MethodHandle SSL_free = LIBSSL.function("SSL_free", VOID, LONG);
    /** Calls {@code void SSL_free(SSL *ssl)}. */
    public static void SSL_free(long ssl) {
        try {
            long _ = (long) SSL_free.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_free", t);
        }
    }

    private static final MethodHandle SSL_set_bio = LIBSSL.function("SSL_set_bio", VOID, LONG, LONG, LONG);
    /** Calls {@code void SSL_set_bio(SSL *ssl, BIO *readBio, BIO *writeBio)}. */
    public static void SSL_set_bio(long ssl, long readBio, long writeBio) {
        try {
            long _ = (long) SSL_set_bio.invokeExact(ssl, readBio, writeBio);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_bio", t);
        }
    }

    private static final MethodHandle SSL_set_fd = LIBSSL.function("SSL_set_fd", INT, LONG, INT);
    /** Calls {@code int SSL_set_fd(SSL *ssl, int fd)}. */
    public static int SSL_set_fd(long ssl, int fd) {
        try {
            return (int) (long) SSL_set_fd.invokeExact(ssl, (long) fd);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_fd", t);
        }
    }

    private static final MethodHandle SSL_set_shutdown = LIBSSL.function("SSL_set_shutdown", VOID, LONG, INT);
    /** Calls {@code void SSL_set_shutdown(SSL *ssl, int mode)}. */
    public static void SSL_set_shutdown(long ssl, int mode) {
        try {
            long _ = (long) SSL_set_shutdown.invokeExact(ssl, (long) mode);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_shutdown", t);
        }
    }

    private static final MethodHandle SSL_get_shutdown = LIBSSL.function("SSL_get_shutdown", INT, LONG);
    /** Calls {@code int SSL_get_shutdown(const SSL *ssl)}. */
    public static int SSL_get_shutdown(long ssl) {
        try {
            return (int) (long) SSL_get_shutdown.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_shutdown", t);
        }
    }

    private static final MethodHandle SSL_set_accept_state = LIBSSL.function("SSL_set_accept_state", VOID, LONG);
    /** Calls {@code void SSL_set_accept_state(SSL *ssl)}. */
    public static void SSL_set_accept_state(long ssl) {
        try {
            long _ = (long) SSL_set_accept_state.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_accept_state", t);
        }
    }

    private static final MethodHandle SSL_set_connect_state = LIBSSL.function("SSL_set_connect_state", VOID, LONG);
    /** Calls {@code void SSL_set_connect_state(SSL *ssl)}. */
    public static void SSL_set_connect_state(long ssl) {
        try {
            long _ = (long) SSL_set_connect_state.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_connect_state", t);
        }
    }

    private static final MethodHandle SSL_ctrl = LIBSSL.function("SSL_ctrl", LONG, LONG, INT, LONG, LONG);
    /** Calls {@code long SSL_ctrl(SSL *ssl, int cmd, long larg, void *parg)}. */
    public static long SSL_ctrl(long ssl, int cmd, long larg, long parg) {
        try {
            return (long) SSL_ctrl.invokeExact(ssl, (long) cmd, larg, parg);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_ctrl", t);
        }
    }

    private static final MethodHandle SSL_set_options = LIBSSL.function("SSL_set_options", LONG, LONG, LONG);
    /** Calls {@code uint64_t SSL_set_options(SSL *ssl, uint64_t options)}. */
    public static long SSL_set_options(long ssl, long options) {
        try {
            return (long) SSL_set_options.invokeExact(ssl, options);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_options", t);
        }
    }

    private static final MethodHandle SSL_clear_options = LIBSSL.function("SSL_clear_options", LONG, LONG, LONG);
    /** Calls {@code uint64_t SSL_clear_options(SSL *ssl, uint64_t options)}. */
    public static long SSL_clear_options(long ssl, long options) {
        try {
            return (long) SSL_clear_options.invokeExact(ssl, options);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_clear_options", t);
        }
    }

    private static final MethodHandle SSL_set_verify = LIBSSL.function("SSL_set_verify", VOID, LONG, INT, LONG);
    /** Calls {@code void SSL_set_verify(SSL *ssl, int mode, SSL_verify_cb *callback)}. */
    public static void SSL_set_verify(long ssl, int mode, long callback) {
        try {
            long _ = (long) SSL_set_verify.invokeExact(ssl, (long) mode, callback);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_verify", t);
        }
    }

    private static final MethodHandle SSL_set_num_tickets = LIBSSL.function("SSL_set_num_tickets", INT, LONG, LONG);
    /** Calls {@code int SSL_set_num_tickets(SSL *ssl, size_t count)}. */
    public static int SSL_set_num_tickets(long ssl, long count) {
        try {
            return (int) (long) SSL_set_num_tickets.invokeExact(ssl, count);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_num_tickets", t);
        }
    }

    private static final MethodHandle SSL_set1_host = LIBSSL.function("SSL_set1_host", INT, LONG, LONG);
    /** Calls {@code int SSL_set1_host(SSL *ssl, const char *name)}. */
    public static int SSL_set1_host(long ssl, long name) {
        try {
            return (int) (long) SSL_set1_host.invokeExact(ssl, name);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set1_host", t);
        }
    }

    private static final MethodHandle SSL_set_hostflags = LIBSSL.function("SSL_set_hostflags", VOID, LONG, INT);
    /** Calls {@code void SSL_set_hostflags(SSL *ssl, unsigned int flags)}. */
    public static void SSL_set_hostflags(long ssl, int flags) {
        try {
            long _ = (long) SSL_set_hostflags.invokeExact(ssl, (long) flags);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_hostflags", t);
        }
    }

    private static final MethodHandle SSL_get0_param = LIBSSL.function("SSL_get0_param", LONG, LONG);
    /** Calls {@code X509_VERIFY_PARAM *SSL_get0_param(SSL *ssl)}. */
    public static long SSL_get0_param(long ssl) {
        try {
            return (long) SSL_get0_param.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get0_param", t);
        }
    }

    private static final MethodHandle SSL_set_SSL_CTX = LIBSSL.function("SSL_set_SSL_CTX", LONG, LONG, LONG);
    /** Calls {@code SSL_CTX *SSL_set_SSL_CTX(SSL *ssl, SSL_CTX *ctx)}. */
    public static long SSL_set_SSL_CTX(long ssl, long ctx) {
        try {
            return (long) SSL_set_SSL_CTX.invokeExact(ssl, ctx);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_SSL_CTX", t);
        }
    }

    private static final MethodHandle SSL_client_hello_get0_ext =
            LIBSSL.function("SSL_client_hello_get0_ext", INT, LONG, INT, LONG, LONG);
    /**
     * Calls {@code int SSL_client_hello_get0_ext(SSL *ssl, unsigned int type, const unsigned char **out, size_t
     * *outLength)}.
     */
    public static int SSL_client_hello_get0_ext(long ssl, int type, long out, long outLength) {
        try {
            return (int) (long) SSL_client_hello_get0_ext.invokeExact(ssl, (long) type, out, outLength);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_client_hello_get0_ext", t);
        }
    }

    // ---- data path
    private static final ErrnoFunction SSL_do_handshake = LIBSSL.errnoFunction("SSL_do_handshake", INT, LONG);
    /** Calls {@code int SSL_do_handshake(SSL *ssl)}. Leaves errno, 4 bytes, at that address. */
    public static int SSL_do_handshake(long errno, long ssl) {
        return (int) SSL_do_handshake.call(errno, ssl);
    }

    private static final ErrnoFunction SSL_read = LIBSSL.errnoFunction("SSL_read", INT, LONG, LONG, INT);
    /** Calls {@code int SSL_read(SSL *ssl, void *buffer, int capacity)}. Leaves errno, 4 bytes, at that address. */
    public static int SSL_read(long errno, long ssl, long buffer, int capacity) {
        return (int) SSL_read.call(errno, ssl, buffer, capacity);
    }

    private static final ErrnoFunction SSL_write = LIBSSL.errnoFunction("SSL_write", INT, LONG, LONG, INT);
    /**
     * Calls {@code int SSL_write(SSL *ssl, const void *buffer, int length)}. Leaves errno, 4 bytes, at that address.
     */
    public static int SSL_write(long errno, long ssl, long buffer, int length) {
        return (int) SSL_write.call(errno, ssl, buffer, length);
    }

    private static final ErrnoFunction SSL_shutdown = LIBSSL.errnoFunction("SSL_shutdown", INT, LONG);
    /** Calls {@code int SSL_shutdown(SSL *ssl)}. Leaves errno, 4 bytes, at that address. */
    public static int SSL_shutdown(long errno, long ssl) {
        return (int) SSL_shutdown.call(errno, ssl);
    }

    private static final MethodHandle SSL_get_error = LIBSSL.criticalFunction("SSL_get_error", INT, LONG, INT);
    /**
     * Calls {@code int SSL_get_error(const SSL *ssl, int returned)}. A leaf call: short, never blocks, never calls
     * back.
     */
    public static int SSL_get_error(long ssl, int returned) {
        try {
            return (int) (long) SSL_get_error.invokeExact(ssl, (long) returned);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_error", t);
        }
    }

    private static final MethodHandle SSL_pending = LIBSSL.criticalFunction("SSL_pending", INT, LONG);
    /** Calls {@code int SSL_pending(const SSL *ssl)}. A leaf call: short, never blocks, never calls back. */
    public static int SSL_pending(long ssl) {
        try {
            return (int) (long) SSL_pending.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_pending", t);
        }
    }

    private static final MethodHandle SSL_has_pending = LIBSSL.criticalFunction("SSL_has_pending", INT, LONG);
    /** Calls {@code int SSL_has_pending(const SSL *ssl)}. A leaf call: short, never blocks, never calls back. */
    public static int SSL_has_pending(long ssl) {
        try {
            return (int) (long) SSL_has_pending.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_has_pending", t);
        }
    }

    // ---- handshake results
    private static final MethodHandle SSL_get_version = LIBSSL.function("SSL_get_version", LONG, LONG);
    /** Calls {@code const char *SSL_get_version(const SSL *ssl)}. */
    public static long SSL_get_version(long ssl) {
        try {
            return (long) SSL_get_version.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_version", t);
        }
    }

    private static final MethodHandle SSL_get_current_cipher = LIBSSL.function("SSL_get_current_cipher", LONG, LONG);
    /** Calls {@code const SSL_CIPHER *SSL_get_current_cipher(const SSL *ssl)}. */
    public static long SSL_get_current_cipher(long ssl) {
        try {
            return (long) SSL_get_current_cipher.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_current_cipher", t);
        }
    }

    private static final MethodHandle SSL_CIPHER_standard_name =
            LIBSSL.function("SSL_CIPHER_standard_name", LONG, LONG);
    /** Calls {@code const char *SSL_CIPHER_standard_name(const SSL_CIPHER *cipher)}. */
    public static long SSL_CIPHER_standard_name(long cipher) {
        try {
            return (long) SSL_CIPHER_standard_name.invokeExact(cipher);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CIPHER_standard_name", t);
        }
    }

    private static final MethodHandle SSL_get0_alpn_selected =
            LIBSSL.function("SSL_get0_alpn_selected", VOID, LONG, LONG, LONG);
    /** Calls {@code void SSL_get0_alpn_selected(const SSL *ssl, const unsigned char **data, unsigned int *length)}. */
    public static void SSL_get0_alpn_selected(long ssl, long data, long length) {
        try {
            long _ = (long) SSL_get0_alpn_selected.invokeExact(ssl, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get0_alpn_selected", t);
        }
    }

    private static final MethodHandle SSL_session_reused = LIBSSL.function("SSL_session_reused", INT, LONG);
    /** Calls {@code int SSL_session_reused(const SSL *ssl)}. */
    public static int SSL_session_reused(long ssl) {
        try {
            return (int) (long) SSL_session_reused.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_session_reused", t);
        }
    }

    private static final MethodHandle SSL_get1_peer_certificate =
            LIBSSL.function("SSL_get1_peer_certificate", LONG, LONG);
    /** Calls {@code X509 *SSL_get1_peer_certificate(const SSL *ssl)}. */
    public static long SSL_get1_peer_certificate(long ssl) {
        try {
            return (long) SSL_get1_peer_certificate.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get1_peer_certificate", t);
        }
    }

    private static final MethodHandle SSL_get_verify_result = LIBSSL.function("SSL_get_verify_result", LONG, LONG);
    /** Calls {@code long SSL_get_verify_result(const SSL *ssl)}. */
    public static long SSL_get_verify_result(long ssl) {
        try {
            return (long) SSL_get_verify_result.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_verify_result", t);
        }
    }

    private static final MethodHandle SSL_get_rbio = LIBSSL.function("SSL_get_rbio", LONG, LONG);
    /** Calls {@code BIO *SSL_get_rbio(const SSL *ssl)}. */
    public static long SSL_get_rbio(long ssl) {
        try {
            return (long) SSL_get_rbio.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_rbio", t);
        }
    }

    private static final @Nullable MethodHandle SSL_get0_group_name =
            LIBSSL.optionalFunction("SSL_get0_group_name", LONG, LONG);
    /** Calls {@code const char *SSL_get0_group_name(SSL *ssl)}. Not in every version; 0 where it is absent. */
    public static long SSL_get0_group_name(long ssl) {
        if (SSL_get0_group_name == null) {
            return 0;
        }
        try {
            return (long) SSL_get0_group_name.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get0_group_name", t);
        }
    }

    private static final @Nullable MethodHandle SSL_CTX_compress_certs =
            LIBSSL.optionalFunction("SSL_CTX_compress_certs", INT, LONG, INT);
    /** Calls {@code int SSL_CTX_compress_certs(SSL_CTX *ctx, int algorithm)}. Not in every version; 0 where absent. */
    public static int SSL_CTX_compress_certs(long ctx, int algorithm) {
        if (SSL_CTX_compress_certs == null) {
            return 0;
        }
        try {
            return (int) (long) SSL_CTX_compress_certs.invokeExact(ctx, (long) algorithm);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_compress_certs", t);
        }
    }

    // ---- sessions
    private static final MethodHandle SSL_get1_session = LIBSSL.function("SSL_get1_session", LONG, LONG);
    /** Calls {@code SSL_SESSION *SSL_get1_session(SSL *ssl)}. */
    public static long SSL_get1_session(long ssl) {
        try {
            return (long) SSL_get1_session.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get1_session", t);
        }
    }

    private static final MethodHandle SSL_SESSION_free = LIBSSL.function("SSL_SESSION_free", VOID, LONG);
    /** Calls {@code void SSL_SESSION_free(SSL_SESSION *session)}. */
    public static void SSL_SESSION_free(long session) {
        try {
            long _ = (long) SSL_SESSION_free.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_free", t);
        }
    }

    private static final MethodHandle SSL_set_session = LIBSSL.function("SSL_set_session", INT, LONG, LONG);
    /** Calls {@code int SSL_set_session(SSL *ssl, SSL_SESSION *session)}. */
    public static int SSL_set_session(long ssl, long session) {
        try {
            return (int) (long) SSL_set_session.invokeExact(ssl, session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_session", t);
        }
    }

    private static final MethodHandle SSL_SESSION_is_resumable = LIBSSL.function("SSL_SESSION_is_resumable", INT, LONG);
    /** Calls {@code int SSL_SESSION_is_resumable(const SSL_SESSION *session)}. */
    public static int SSL_SESSION_is_resumable(long session) {
        try {
            return (int) (long) SSL_SESSION_is_resumable.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_is_resumable", t);
        }
    }
}
