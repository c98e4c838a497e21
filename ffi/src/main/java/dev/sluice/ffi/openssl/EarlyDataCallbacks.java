package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.openssl.raw.LibSslEarlyData;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The function pointers that libssl calls for early data: two for the whole process, created on first use. The
 * connection is found as in {@link HandshakeCallbacks}. Exceptions do not escape.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
final class EarlyDataCallbacks {
    static final long ALLOW = stub("allow");
    static final long TICKET_IS_MADE = stub("ticketIsMade");

    private static final int NO = 0;
    private static final int YES = 1;

    private EarlyDataCallbacks() {}

    /**
     * Implements {@code int (*SSL_allow_early_data_cb_fn)(SSL *s, void *arg)}. An exception rejects the early data, not
     * the handshake.
     */
    private static int allow(long ssl, long argument) {
        try {
            HandshakeCallbacks.Target target = HandshakeCallbacks.current();
            return target != null && target.onEarlyData() ? YES : NO;
        } catch (Throwable t) {
            return NO;
        }
    }

    /**
     * Implements {@code int (*SSL_CTX_generate_session_ticket_fn)(SSL *s, void *arg)}: the argument is a mark for the
     * ticket. A ticket without the mark resumes sessions but carries no early data.
     */
    private static int ticketIsMade(long ssl, long mark) {
        try {
            long session = LibSslEarlyData.SSL_get_session(ssl);
            LibSslEarlyData.SSL_SESSION_set1_ticket_appdata(session, mark, SslCtx.TICKET_MARK_BYTES);
        } catch (Throwable ignored) {
            // No exception may escape an upcall: it would end the process.
        }
        return YES;
    }

    private static long stub(String method) {
        try {
            MethodHandle handle = MethodHandles.lookup()
                    .findStatic(
                            EarlyDataCallbacks.class, method, MethodType.methodType(int.class, long.class, long.class));
            return NativeLibrary.callback(handle, INT, LONG, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: " + method, e);
        }
    }
}
