package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libssl} that report the size of a session, one method handle per C function, named after it.
 * Raw calls: pointers are {@code long} addresses, nothing is checked. Linked for cost measurements.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslSessionSizes {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslSessionSizes() {}

    private static final MethodHandle SSL_SESSION_get0_ticket =
            LIBSSL.function("SSL_SESSION_get0_ticket", VOID, LONG, LONG, LONG);
    /**
     * Calls {@code void SSL_SESSION_get0_ticket(const SSL_SESSION *session, const unsigned char **ticket, size_t
     * *length)}.
     */
    public static void SSL_SESSION_get0_ticket(long session, long ticket, long length) {
        try {
            long _ = (long) SSL_SESSION_get0_ticket.invokeExact(session, ticket, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_SESSION_get0_ticket", t);
        }
    }

    private static final MethodHandle i2d_SSL_SESSION = LIBSSL.function("i2d_SSL_SESSION", INT, LONG, LONG);
    /** Calls {@code int i2d_SSL_SESSION(const SSL_SESSION *session, unsigned char **der)}. */
    public static int i2d_SSL_SESSION(long session, long der) {
        try {
            return (int) (long) i2d_SSL_SESSION.invokeExact(session, der);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("i2d_SSL_SESSION", t);
        }
    }
}
