package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.openssl.raw.LibSslVerify;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The function pointer that libssl calls for each certificate of a client's chain: one for the whole process, created
 * when clients are first authorized by name. The connection is found as in {@link HandshakeCallbacks}. Exceptions do
 * not escape; an exception rejects the client.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
final class VerifyCallbacks {
    static final long VERIFY = stub();

    private static final int VERIFIED = 1;
    private static final int REFUSED = 0;

    private VerifyCallbacks() {}

    /** Creates the function pointer. */
    static void link() {}

    /**
     * Implements {@code int (*SSL_verify_cb)(int preverify_ok, X509_STORE_CTX *context)}; see SSL_CTX_set_verify(3).
     */
    private static int verify(int preverified, long context) {
        if (preverified == 0) {
            return REFUSED; // as without this callback
        }
        try {
            boolean authority = LibSslVerify.X509_STORE_CTX_get_error_depth(context) > 0;
            if (authority || isWelcome(LibSslVerify.X509_STORE_CTX_get_current_cert(context))) {
                return VERIFIED;
            }
            LibSslVerify.X509_STORE_CTX_set_error(context, OpenSslConstants.X509_V_ERR_CERT_REJECTED);
            return REFUSED;
        } catch (Throwable t) {
            return REFUSED;
        }
    }

    private static boolean isWelcome(long certificate) {
        HandshakeCallbacks.@Nullable Target target = HandshakeCallbacks.current();
        if (target == null) {
            return false;
        }
        try (X509 client = X509.shared(certificate)) {
            return target.onClientCertificate(client);
        } catch (RuntimeException e) {
            target.onCallbackFailed(e);
            return false;
        }
    }

    private static long stub() {
        try {
            MethodHandle handle = MethodHandles.lookup()
                    .findStatic(
                            VerifyCallbacks.class, "verify", MethodType.methodType(int.class, int.class, long.class));
            return NativeLibrary.callback(handle, INT, INT, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: verify", e);
        }
    }
}
