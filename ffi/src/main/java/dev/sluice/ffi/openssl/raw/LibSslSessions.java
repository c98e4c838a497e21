package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libssl} that report the parameters of a session, one method handle per C function, named
 * after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked with the first resumption.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslSessions {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslSessions() {}

    private static final MethodHandle SSL_SESSION_get0_id_context =
            LIBSSL.function("SSL_SESSION_get0_id_context", LONG, LONG, LONG);
    /**
     * Calls {@code const unsigned char *SSL_SESSION_get0_id_context(const SSL_SESSION *session, unsigned int *length)}.
     */
    public static long SSL_SESSION_get0_id_context(long session, long length) {
        try {
            return (long) SSL_SESSION_get0_id_context.invokeExact(session, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get0_id_context", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get0_hostname =
            LIBSSL.function("SSL_SESSION_get0_hostname", LONG, LONG);
    /** Calls {@code const char *SSL_SESSION_get0_hostname(const SSL_SESSION *session)}. */
    public static long SSL_SESSION_get0_hostname(long session) {
        try {
            return (long) SSL_SESSION_get0_hostname.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get0_hostname", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get_protocol_version =
            LIBSSL.function("SSL_SESSION_get_protocol_version", INT, LONG);
    /** Calls {@code int SSL_SESSION_get_protocol_version(const SSL_SESSION *session)}. */
    public static int SSL_SESSION_get_protocol_version(long session) {
        try {
            return (int) (long) SSL_SESSION_get_protocol_version.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get_protocol_version", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get_time = LIBSSL.function("SSL_SESSION_get_time", LONG, LONG);
    /** Calls {@code long SSL_SESSION_get_time(const SSL_SESSION *session)}. */
    public static long SSL_SESSION_get_time(long session) {
        try {
            return (long) SSL_SESSION_get_time.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get_time", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get_timeout = LIBSSL.function("SSL_SESSION_get_timeout", LONG, LONG);
    /** Calls {@code long SSL_SESSION_get_timeout(const SSL_SESSION *session)}. */
    public static long SSL_SESSION_get_timeout(long session) {
        try {
            return (long) SSL_SESSION_get_timeout.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get_timeout", t);
        }
    }

    private static final MethodHandle SSL_get_pending_cipher = LIBSSL.function("SSL_get_pending_cipher", LONG, LONG);
    /** Calls {@code const SSL_CIPHER *SSL_get_pending_cipher(const SSL *ssl)}. */
    public static long SSL_get_pending_cipher(long ssl) {
        try {
            return (long) SSL_get_pending_cipher.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_pending_cipher", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get0_cipher = LIBSSL.function("SSL_SESSION_get0_cipher", LONG, LONG);
    /** Calls {@code const SSL_CIPHER *SSL_SESSION_get0_cipher(const SSL_SESSION *session)}. */
    public static long SSL_SESSION_get0_cipher(long session) {
        try {
            return (long) SSL_SESSION_get0_cipher.invokeExact(session);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get0_cipher", t);
        }
    }

    private static final MethodHandle SSL_CIPHER_get_handshake_digest =
            LIBSSL.function("SSL_CIPHER_get_handshake_digest", LONG, LONG);
    /** Calls {@code const EVP_MD *SSL_CIPHER_get_handshake_digest(const SSL_CIPHER *cipher)}. */
    public static long SSL_CIPHER_get_handshake_digest(long cipher) {
        try {
            return (long) SSL_CIPHER_get_handshake_digest.invokeExact(cipher);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CIPHER_get_handshake_digest", t);
        }
    }
}
