package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libssl} for external pre-shared keys (RFC 8446 section 4.2.11), one method handle per C
 * function, named after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked only where such
 * keys are used.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslPsk {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslPsk() {}

    private static final MethodHandle SSL_CTX_set_psk_use_session_callback =
            LIBSSL.function("SSL_CTX_set_psk_use_session_callback", VOID, LONG, LONG);
    /** Calls {@code void SSL_CTX_set_psk_use_session_callback(SSL_CTX *context, SSL_psk_use_session_cb_func callback)}. */
    public static void SSL_CTX_set_psk_use_session_callback(long context, long callback) {
        try {
            long _ = (long) SSL_CTX_set_psk_use_session_callback.invokeExact(context, callback);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_psk_use_session_callback", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_psk_find_session_callback =
            LIBSSL.function("SSL_CTX_set_psk_find_session_callback", VOID, LONG, LONG);
    /** Calls {@code void SSL_CTX_set_psk_find_session_callback(SSL_CTX *context, SSL_psk_find_session_cb_func callback)}. */
    public static void SSL_CTX_set_psk_find_session_callback(long context, long callback) {
        try {
            long _ = (long) SSL_CTX_set_psk_find_session_callback.invokeExact(context, callback);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_psk_find_session_callback", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_ex_data =
            LIBSSL.function("SSL_CTX_set_ex_data", INT, LONG, INT, LONG);
    /** Calls {@code int SSL_CTX_set_ex_data(SSL_CTX *context, int index, void *data)}. */
    public static int SSL_CTX_set_ex_data(long context, int index, long data) {
        try {
            return (int) (long) SSL_CTX_set_ex_data.invokeExact(context, (long) index, data);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_ex_data", t);
        }
    }

    private static final MethodHandle SSL_CTX_get_ex_data = LIBSSL.function("SSL_CTX_get_ex_data", LONG, LONG, INT);
    /** Calls {@code void *SSL_CTX_get_ex_data(const SSL_CTX *context, int index)}. */
    public static long SSL_CTX_get_ex_data(long context, int index) {
        try {
            return (long) SSL_CTX_get_ex_data.invokeExact(context, (long) index);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_get_ex_data", t);
        }
    }

    private static final MethodHandle SSL_get_SSL_CTX = LIBSSL.function("SSL_get_SSL_CTX", LONG, LONG);
    /** Calls {@code SSL_CTX *SSL_get_SSL_CTX(const SSL *ssl)}. Borrowed. */
    public static long SSL_get_SSL_CTX(long ssl) {
        try {
            return (long) SSL_get_SSL_CTX.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_SSL_CTX", t);
        }
    }

    private static final MethodHandle SSL_CIPHER_find = LIBSSL.function("SSL_CIPHER_find", LONG, LONG, LONG);
    /** Calls {@code const SSL_CIPHER *SSL_CIPHER_find(SSL *ssl, const unsigned char *number)}. Static. */
    public static long SSL_CIPHER_find(long ssl, long number) {
        try {
            return (long) SSL_CIPHER_find.invokeExact(ssl, number);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CIPHER_find", t);
        }
    }

    private static final MethodHandle SSL_SESSION_new = LIBSSL.function("SSL_SESSION_new", LONG);
    /** Calls {@code SSL_SESSION *SSL_SESSION_new(void)}. */
    public static long SSL_SESSION_new() {
        try {
            return (long) SSL_SESSION_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_new", t);
        }
    }

    private static final MethodHandle SSL_SESSION_set1_master_key =
            LIBSSL.function("SSL_SESSION_set1_master_key", INT, LONG, LONG, LONG);
    /** Calls {@code int SSL_SESSION_set1_master_key(SSL_SESSION *session, const unsigned char *key, size_t length)}. */
    public static int SSL_SESSION_set1_master_key(long session, long key, long length) {
        try {
            return (int) (long) SSL_SESSION_set1_master_key.invokeExact(session, key, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_set1_master_key", t);
        }
    }

    private static final MethodHandle SSL_SESSION_set_cipher =
            LIBSSL.function("SSL_SESSION_set_cipher", INT, LONG, LONG);
    /** Calls {@code int SSL_SESSION_set_cipher(SSL_SESSION *session, const SSL_CIPHER *cipher)}. */
    public static int SSL_SESSION_set_cipher(long session, long cipher) {
        try {
            return (int) (long) SSL_SESSION_set_cipher.invokeExact(session, cipher);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_set_cipher", t);
        }
    }

    private static final MethodHandle SSL_SESSION_set_protocol_version =
            LIBSSL.function("SSL_SESSION_set_protocol_version", INT, LONG, INT);
    /** Calls {@code int SSL_SESSION_set_protocol_version(SSL_SESSION *session, int version)}. */
    public static int SSL_SESSION_set_protocol_version(long session, int version) {
        try {
            return (int) (long) SSL_SESSION_set_protocol_version.invokeExact(session, (long) version);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_set_protocol_version", t);
        }
    }
}
