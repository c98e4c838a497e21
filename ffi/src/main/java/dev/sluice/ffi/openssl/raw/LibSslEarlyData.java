package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.ErrnoFunction;
import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libssl} for early data (RFC 8446 section 4.2.10), one method handle per C function, named
 * after it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked only when early data is enabled.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslEarlyData {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslEarlyData() {}

    private static final MethodHandle SSL_CTX_set_max_early_data =
            LIBSSL.function("SSL_CTX_set_max_early_data", INT, LONG, INT);
    /** Calls {@code int SSL_CTX_set_max_early_data(SSL_CTX *context, uint32_t bytes)}. */
    public static int SSL_CTX_set_max_early_data(long context, int bytes) {
        try {
            return (int) (long) SSL_CTX_set_max_early_data.invokeExact(context, (long) bytes);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_max_early_data", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_recv_max_early_data =
            LIBSSL.function("SSL_CTX_set_recv_max_early_data", INT, LONG, INT);
    /** Calls {@code int SSL_CTX_set_recv_max_early_data(SSL_CTX *context, uint32_t bytes)}. */
    public static int SSL_CTX_set_recv_max_early_data(long context, int bytes) {
        try {
            return (int) (long) SSL_CTX_set_recv_max_early_data.invokeExact(context, (long) bytes);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_recv_max_early_data", t);
        }
    }

    private static final MethodHandle SSL_CTX_set_allow_early_data_cb =
            LIBSSL.function("SSL_CTX_set_allow_early_data_cb", VOID, LONG, LONG, LONG);
    /**
     * Calls {@code void SSL_CTX_set_allow_early_data_cb(SSL_CTX *context, int (*callback)(SSL *, void *), void
     * *argument)}.
     */
    public static void SSL_CTX_set_allow_early_data_cb(long context, long callback, long argument) {
        try {
            long _ = (long) SSL_CTX_set_allow_early_data_cb.invokeExact(context, callback, argument);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_allow_early_data_cb", t);
        }
    }

    private static final ErrnoFunction SSL_read_early_data =
            LIBSSL.errnoFunction("SSL_read_early_data", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int SSL_read_early_data(SSL *ssl, void *buffer, size_t capacity, size_t *count)}. Leaves errno, 4
     * bytes, at that address.
     */
    public static int SSL_read_early_data(long errno, long ssl, long buffer, long capacity, long count) {
        return (int) SSL_read_early_data.call(errno, ssl, buffer, capacity, count);
    }

    private static final ErrnoFunction SSL_write_early_data =
            LIBSSL.errnoFunction("SSL_write_early_data", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int SSL_write_early_data(SSL *ssl, const void *buffer, size_t length, size_t *count)}. Leaves errno,
     * 4 bytes, at that address.
     */
    public static int SSL_write_early_data(long errno, long ssl, long buffer, long length, long count) {
        return (int) SSL_write_early_data.call(errno, ssl, buffer, length, count);
    }

    private static final MethodHandle SSL_get_early_data_status =
            LIBSSL.function("SSL_get_early_data_status", INT, LONG);
    /** Calls {@code int SSL_get_early_data_status(const SSL *ssl)}. */
    public static int SSL_get_early_data_status(long ssl) {
        try {
            return (int) (long) SSL_get_early_data_status.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_early_data_status", t);
        }
    }

    private static final MethodHandle SSL_get_session = LIBSSL.function("SSL_get_session", LONG, LONG);
    /** Calls {@code SSL_SESSION *SSL_get_session(const SSL *ssl)}. */
    public static long SSL_get_session(long ssl) {
        try {
            return (long) SSL_get_session.invokeExact(ssl);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_get_session", t);
        }
    }

    private static final MethodHandle SSL_SESSION_set1_ticket_appdata =
            LIBSSL.function("SSL_SESSION_set1_ticket_appdata", INT, LONG, LONG, LONG);
    /** Calls {@code int SSL_SESSION_set1_ticket_appdata(SSL_SESSION *session, const void *data, size_t length)}. */
    public static int SSL_SESSION_set1_ticket_appdata(long session, long data, long length) {
        try {
            return (int) (long) SSL_SESSION_set1_ticket_appdata.invokeExact(session, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_set1_ticket_appdata", t);
        }
    }

    private static final MethodHandle SSL_SESSION_get0_ticket_appdata =
            LIBSSL.function("SSL_SESSION_get0_ticket_appdata", INT, LONG, LONG, LONG);
    /** Calls {@code int SSL_SESSION_get0_ticket_appdata(SSL_SESSION *session, void **data, size_t *length)}. */
    public static int SSL_SESSION_get0_ticket_appdata(long session, long data, long length) {
        try {
            return (int) (long) SSL_SESSION_get0_ticket_appdata.invokeExact(session, data, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get0_ticket_appdata", t);
        }
    }
}
