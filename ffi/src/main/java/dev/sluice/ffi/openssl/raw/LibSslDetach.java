package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libssl} and {@code libcrypto} with which a connection detaches from libssl after its
 * handshake, one method handle per C function, named after it. Raw calls: pointers are {@code long} addresses, nothing
 * is checked.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslDetach {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslDetach() {}

    private static final MethodHandle CRYPTO_get_ex_new_index =
            LIBCRYPTO.function("CRYPTO_get_ex_new_index", INT, INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int CRYPTO_get_ex_new_index(int class_index, long argl, void *argp, CRYPTO_EX_new *, CRYPTO_EX_dup
     * *, CRYPTO_EX_free *)}.
     */
    public static int CRYPTO_get_ex_new_index(
            int classIndex, long number, long pointer, long make, long dup, long free) {
        try {
            return (int)
                    (long) CRYPTO_get_ex_new_index.invokeExact((long) classIndex, number, pointer, make, dup, free);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("CRYPTO_get_ex_new_index", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_keylog_callback =
            LIBSSL.function("SSL_CTX_set_keylog_callback", VOID, LONG, LONG);
    /**
     * Calls {@code void SSL_CTX_set_keylog_callback(SSL_CTX *context, void (*callback)(const SSL *, const char
     * *line))}.
     */
    public static void SSL_CTX_set_keylog_callback(long context, long callback) {
        try {
            long _ = (long) SSL_CTX_set_keylog_callback.invokeExact(context, callback);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_keylog_callback", t);
        }
    }

    private static final MethodHandle SSL_set_ex_data = LIBSSL.function("SSL_set_ex_data", INT, LONG, INT, LONG);
    /** Calls {@code int SSL_set_ex_data(SSL *ssl, int index, void *data)}. */
    public static int SSL_set_ex_data(long ssl, int index, long data) {
        try {
            return (int) (long) SSL_set_ex_data.invokeExact(ssl, (long) index, data);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_ex_data", t);
        }
    }

    private static final MethodHandle SSL_get_ex_data = LIBSSL.criticalFunction("SSL_get_ex_data", LONG, LONG, INT);
    /** Calls {@code void *SSL_get_ex_data(const SSL *ssl, int index)}. A leaf call. */
    public static long SSL_get_ex_data(long ssl, int index) {
        try {
            return (long) SSL_get_ex_data.invokeExact(ssl, (long) index);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_ex_data", t);
        }
    }

    private static final MethodHandle SSL_key_update = LIBSSL.function("SSL_key_update", INT, LONG, INT);
    /** Calls {@code int SSL_key_update(SSL *ssl, int type)}. */
    public static int SSL_key_update(long ssl, int type) {
        try {
            return (int) (long) SSL_key_update.invokeExact(ssl, (long) type);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_key_update", t);
        }
    }

    private static final MethodHandle SSL_new_session_ticket = LIBSSL.function("SSL_new_session_ticket", INT, LONG);
    /** Calls {@code int SSL_new_session_ticket(SSL *ssl)}. */
    public static int SSL_new_session_ticket(long ssl) {
        try {
            return (int) (long) SSL_new_session_ticket.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_new_session_ticket", t);
        }
    }

    private static final MethodHandle SSL_in_init = LIBSSL.function("SSL_in_init", INT, LONG);
    /** Calls {@code int SSL_in_init(const SSL *s)}. */
    public static int SSL_in_init(long ssl) {
        try {
            return (int) (long) SSL_in_init.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_in_init", t);
        }
    }

    private static final MethodHandle SSL_get_key_update_type = LIBSSL.function("SSL_get_key_update_type", INT, LONG);
    /** Calls {@code int SSL_get_key_update_type(const SSL *ssl)}. */
    public static int SSL_get_key_update_type(long ssl) {
        try {
            return (int) (long) SSL_get_key_update_type.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_key_update_type", t);
        }
    }

    private static final MethodHandle SSL_set_msg_callback = LIBSSL.function("SSL_set_msg_callback", VOID, LONG, LONG);
    /**
     * Calls {@code void SSL_set_msg_callback(SSL *ssl, void (*callback)(int, int, int, const void *, size_t, SSL *,
     * void *))}.
     */
    public static void SSL_set_msg_callback(long ssl, long callback) {
        try {
            long _ = (long) SSL_set_msg_callback.invokeExact(ssl, callback);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_set_msg_callback", t);
        }
    }

    private static final MethodHandle SSL_SESSION_up_ref = LIBSSL.function("SSL_SESSION_up_ref", INT, LONG);
    /** Calls {@code int SSL_SESSION_up_ref(SSL_SESSION *session)}. */
    public static int SSL_SESSION_up_ref(long session) {
        try {
            return (int) (long) SSL_SESSION_up_ref.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_up_ref", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get_max_fragment_length =
            LIBSSL.function("SSL_SESSION_get_max_fragment_length", INT, LONG);
    /** Calls {@code uint8_t SSL_SESSION_get_max_fragment_length(const SSL_SESSION *session)}. */
    public static byte SSL_SESSION_get_max_fragment_length(long session) {
        try {
            return (byte) (long) SSL_SESSION_get_max_fragment_length.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get_max_fragment_length", t);
        }
    }

    private static final MethodHandle SSL_get_server_random =
            LIBSSL.function("SSL_get_server_random", LONG, LONG, LONG, LONG);
    /** Calls {@code size_t SSL_get_server_random(const SSL *ssl, unsigned char *out, size_t length)}. */
    public static long SSL_get_server_random(long ssl, long out, long length) {
        try {
            return (long) SSL_get_server_random.invokeExact(ssl, out, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_server_random", t);
        }
    }

    private static final MethodHandle SSL_get_client_random =
            LIBSSL.function("SSL_get_client_random", LONG, LONG, LONG, LONG);
    /** Calls {@code size_t SSL_get_client_random(const SSL *ssl, unsigned char *out, size_t length)}. */
    public static long SSL_get_client_random(long ssl, long out, long length) {
        try {
            return (long) SSL_get_client_random.invokeExact(ssl, out, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_client_random", t);
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
}
