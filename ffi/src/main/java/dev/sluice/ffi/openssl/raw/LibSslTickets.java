package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The function of {@code libssl} that registers callbacks for the sessions in tickets, with a method handle named after
 * it. Raw calls: pointers are {@code long} addresses, nothing is checked.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibSslTickets {
    private static final NativeLibrary LIBSSL = OpenSsl.require().libssl();

    private LibSslTickets() {}

    private static final MethodHandle SSL_CTX_set_session_ticket_cb =
            LIBSSL.function("SSL_CTX_set_session_ticket_cb", INT, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int SSL_CTX_set_session_ticket_cb(SSL_CTX *context, int (*make)(SSL *, void *), callback *open, void
     * *argument)}.
     */
    public static int SSL_CTX_set_session_ticket_cb(long context, long make, long open, long argument) {
        try {
            return (int) (long) SSL_CTX_set_session_ticket_cb.invokeExact(context, make, open, argument);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("SSL_CTX_set_session_ticket_cb", t);
        }
    }
}
