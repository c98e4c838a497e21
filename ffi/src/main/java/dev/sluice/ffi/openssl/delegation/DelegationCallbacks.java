package dev.sluice.ffi.openssl.delegation;

import dev.sluice.ffi.openssl.HandshakeCallbacks;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.raw.LibSslDelegation;
import dev.sluice.ffi.openssl.raw.LibSslPinning;
import dev.sluice.ffi.openssl.raw.LibSslVerify;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The function pointers that libssl calls when a handshake needs a certificate of ours, or a verdict on the peer's: two
 * for the whole process. The connection is found as in {@link HandshakeCallbacks}. Exceptions do not escape; an
 * exception fails the handshake.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
public final class DelegationCallbacks {
    private static final long CERTIFICATE =
            Upcall.to(MethodHandles.lookup(), "certificate", int.class, long.class, long.class);
    private static final long VERIFY = Upcall.to(MethodHandles.lookup(), "verify", int.class, long.class, long.class);

    private static final int VERIFIED = 1;
    private static final int REFUSED = 0;

    private DelegationCallbacks() {}

    /**
     * Has {@link HandshakeCallbacks.Target} choose the certificates of a context's connections, in {@code
     * onCertificate}, and judge those of peers, in {@code onVerify}, which replaces libssl's verification.
     */
    public static void install(SslCtx context) {
        LibSslDelegation.SSL_CTX_set_cert_cb(context.address(), CERTIFICATE, 0);
        LibSslPinning.SSL_CTX_set_cert_verify_callback(context.address(), VERIFY, 0);
    }

    /** Implements {@code int (*)(SSL *ssl, void *arg)}; see SSL_CTX_set_cert_cb(3). */
    private static int certificate(long ssl, long argument) {
        HandshakeCallbacks.@Nullable Target target = HandshakeCallbacks.current();
        try {
            return target == null ? HandshakeCallbacks.Target.NO_CERTIFICATE : target.onCertificate();
        } catch (Throwable t) {
            report(target, t);
            return HandshakeCallbacks.Target.NO_CERTIFICATE;
        }
    }

    /** Implements {@code int (*)(X509_STORE_CTX *context, void *arg)}; see SSL_CTX_set_cert_verify_callback(3). */
    private static int verify(long context, long argument) {
        HandshakeCallbacks.@Nullable Target target = HandshakeCallbacks.current();
        int result = OpenSslConstants.X509_V_ERR_CERT_REJECTED;
        try {
            if (target != null) {
                result = target.onVerify(context);
            }
            LibSslVerify.X509_STORE_CTX_set_error(context, result);
        } catch (Throwable t) {
            report(target, t);
            return REFUSED;
        }
        return result == OpenSslConstants.X509_V_OK ? VERIFIED : REFUSED;
    }

    /** Passes an exception to the connection whose handshake it fails. */
    static void report(HandshakeCallbacks.@Nullable Target target, Throwable thrown) {
        try {
            if (target != null) {
                target.onCallbackFailed(thrown);
            }
        } catch (Throwable ignored) {
            // No exception may escape an upcall: it would end the process. The handshake fails instead.
        }
    }
}
