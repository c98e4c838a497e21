package dev.sluice.ffi.x25519;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCryptoHandshake;
import java.lang.invoke.MethodHandle;

/** The X25519 of AWS-LC's or BoringSSL's libcrypto (openssl/curve25519.h), with OpenSSL's random numbers. */
@SuppressWarnings("MemberName") // named after the C symbols
final class AwsLc implements X25519Function {
    static final String PUBLIC_KEY = "X25519_public_from_private";
    private static final String AGREE = "X25519";

    private final MethodHandle X25519_public_from_private;
    private final MethodHandle X25519;

    AwsLc(NativeLibrary library) {
        X25519_public_from_private = library.function(PUBLIC_KEY, VOID, LONG, LONG);
        X25519 = library.function(AGREE, INT, LONG, LONG, LONG);
    }

    /** Calls {@code void X25519_public_from_private(uint8_t public[32], const uint8_t secret[32])}. */
    @Override
    public void generate(long secretKey, long publicKey) {
        if (LibCryptoHandshake.RAND_priv_bytes(secretKey, BYTES) != 1) {
            throw OpenSslException.drained("RAND_priv_bytes of an X25519 key failed");
        }
        try {
            long _ = (long) X25519_public_from_private.invokeExact(publicKey, secretKey);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(PUBLIC_KEY, t);
        }
    }

    /** Calls {@code int X25519(uint8_t shared[32], const uint8_t secret[32], const uint8_t peer[32])}. */
    @Override
    public boolean derive(long secretKey, long peer, long secret) {
        try {
            return (int) (long) X25519.invokeExact(secret, secretKey, peer) == 1;
        } catch (Throwable t) {
            throw NativeLibrary.impossible(AGREE, t);
        }
    }
}
