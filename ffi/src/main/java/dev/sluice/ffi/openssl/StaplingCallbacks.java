package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslStapling;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The function pointer that libssl calls when a client requests the status of the chosen certificate: one for the whole
 * process, created when the first certificate needs a staple. The connection is found as in {@link HandshakeCallbacks}.
 * Exceptions do not escape; an exception costs only the staple.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
final class StaplingCallbacks {
    static final long STATUS = stub();

    private StaplingCallbacks() {}

    /** Creates the function pointer. */
    static void link() {}

    /** Implements {@code int (*)(SSL *s, void *arg)}, see SSL_CTX_set_tlsext_status_cb(3). */
    private static int status(long ssl, long argument) {
        try {
            HandshakeCallbacks.Target target = HandshakeCallbacks.current();
            byte[] response = target == null ? null : target.onStatusRequest(LibSslStapling.SSL_get_certificate(ssl));
            return staple(ssl, response) ? OpenSslConstants.SSL_TLSEXT_ERR_OK : OpenSslConstants.SSL_TLSEXT_ERR_NOACK;
        } catch (Throwable t) {
            return OpenSslConstants.SSL_TLSEXT_ERR_NOACK;
        }
    }

    /** Passes a copy to libssl, which frees it with the connection. */
    private static boolean staple(long ssl, byte @Nullable [] response) {
        long copy = response == null ? 0 : LibCrypto.CRYPTO_zalloc(response.length, 0, 0);
        if (response == null || copy == 0) {
            return false;
        }
        RawMemory.copy(response, 0, copy, response.length);
        LibSsl.SSL_ctrl(ssl, OpenSslConstants.SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, response.length, copy);
        return true;
    }

    private static long stub() {
        try {
            MethodHandle handle = MethodHandles.lookup()
                    .findStatic(
                            StaplingCallbacks.class,
                            "status",
                            MethodType.methodType(int.class, long.class, long.class));
            return NativeLibrary.callback(handle, INT, LONG, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: status", e);
        }
    }
}
