package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The function pointer that libssl calls after it opened a client's ticket, or failed to: one for the whole process.
 * The connection is found as in {@link HandshakeCallbacks}. Exceptions do not escape, and nothing is decided: libssl
 * continues as without the callback.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
final class TicketCallbacks {
    static final long OPENED = stub();

    private TicketCallbacks() {}

    /**
     * Implements {@code SSL_TICKET_RETURN (*SSL_CTX_decrypt_session_ticket_fn)(SSL *s, SSL_SESSION *session, const
     * unsigned char *name, size_t name_length, SSL_TICKET_STATUS status, void *arg)}.
     */
    private static int opened(long ssl, long session, long name, long nameLength, int status, long argument) {
        if (status != OpenSslConstants.SSL_TICKET_SUCCESS && status != OpenSslConstants.SSL_TICKET_SUCCESS_RENEW) {
            return OpenSslConstants.SSL_TICKET_RETURN_IGNORE_RENEW;
        }
        try {
            HandshakeCallbacks.Target target = HandshakeCallbacks.current();
            if (target != null) {
                target.onTicketOpened(session);
            }
        } catch (Throwable ignored) {
            // No exception may escape an upcall: it would end the process. Only ticket information is lost.
        }
        return status == OpenSslConstants.SSL_TICKET_SUCCESS
                ? OpenSslConstants.SSL_TICKET_RETURN_USE
                : OpenSslConstants.SSL_TICKET_RETURN_USE_RENEW;
    }

    private static long stub() {
        MethodType type =
                MethodType.methodType(int.class, long.class, long.class, long.class, long.class, int.class, long.class);
        try {
            MethodHandle handle = MethodHandles.lookup().findStatic(TicketCallbacks.class, "opened", type);
            return NativeLibrary.callback(handle, INT, LONG, LONG, LONG, LONG, INT, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: opened", e);
        }
    }
}
