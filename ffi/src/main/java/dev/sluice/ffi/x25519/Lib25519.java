package dev.sluice.ffi.x25519;

import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.invoke.MethodHandle;

/**
 * The X25519 of lib25519 (lib25519(3)), of its stable interface: {@code lib25519_dh_keypair} and {@code lib25519_dh},
 * which lib25519.h defines as the names below. Its random numbers are the kernel's.
 */
@SuppressWarnings("MemberName") // named after the C symbols
final class Lib25519 implements X25519Function {
    static final String KEY_PAIR = "lib25519_dh_x25519_keypair";
    private static final String AGREE = "lib25519_dh_x25519";

    private final MethodHandle lib25519_dh_x25519_keypair;
    private final MethodHandle lib25519_dh_x25519;

    Lib25519(NativeLibrary library) {
        lib25519_dh_x25519_keypair = library.function(KEY_PAIR, VOID, LONG, LONG);
        lib25519_dh_x25519 = library.function(AGREE, VOID, LONG, LONG, LONG);
    }

    /** Calls {@code void lib25519_dh_keypair(unsigned char *public, unsigned char *secret)}. */
    @Override
    public void generate(long secretKey, long publicKey) {
        try {
            long _ = (long) lib25519_dh_x25519_keypair.invokeExact(publicKey, secretKey);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(KEY_PAIR, t);
        }
    }

    /**
     * Calls {@code void lib25519_dh(unsigned char *shared, const unsigned char *public, const unsigned char *secret)}.
     */
    @Override
    public boolean derive(long secretKey, long peer, long secret) {
        try {
            long _ = (long) lib25519_dh_x25519.invokeExact(secret, peer, secretKey);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(AGREE, t);
        }
        return isContributory(secret);
    }

    /** Returns whether a secret is not zero; takes the same time for all (RFC 7748 section 6.1). */
    private static boolean isContributory(long secret) {
        long any = 0;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            any |= RawMemory.getLong(secret + i);
        }
        return any != 0;
    }
}
