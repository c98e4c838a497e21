package dev.sluice.ffi.x25519;

import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;

/** A test of an implementation by answers that are known: those of RFC 7748 section 6.1, and a fresh key pair's. */
public final class KnownAnswers {
    private static final byte[] ALICE_SECRET = hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    private static final byte[] ALICE_PUBLIC = hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    private static final byte[] BOB_SECRET = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    private static final byte[] BOB_PUBLIC = hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    private static final byte[] SHARED = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");

    /** Section 4.1: the base point's coordinate. */
    private static final byte[] BASE_POINT = base();

    /** A public key of order 1. */
    private static final byte[] ZERO = new byte[X25519Function.BYTES];

    private final X25519Function function;
    private final MemorySegment secretKey;
    private final MemorySegment peer;
    private final MemorySegment out;

    private KnownAnswers(X25519Function function, Arena arena) {
        this.function = function;
        this.secretKey = arena.allocate(X25519Function.BYTES, Long.BYTES);
        this.peer = arena.allocate(X25519Function.BYTES, Long.BYTES);
        this.out = arena.allocate(X25519Function.BYTES, Long.BYTES);
    }

    /** Returns whether an implementation gives all answers. */
    public static boolean hold(X25519Function function) {
        try (Arena arena = Arena.ofConfined()) {
            KnownAnswers answers = new KnownAnswers(function, arena);
            return answers.isAgreed(ALICE_SECRET, BOB_PUBLIC, SHARED)
                    && answers.isAgreed(BOB_SECRET, ALICE_PUBLIC, SHARED)
                    && answers.isAgreed(ALICE_SECRET, BASE_POINT, ALICE_PUBLIC)
                    && answers.isRefused(ZERO)
                    && answers.isPairFresh();
        }
    }

    private boolean isAgreed(byte[] key, byte[] with, byte[] expected) {
        put(secretKey, key);
        put(peer, with);
        return function.derive(secretKey.address(), peer.address(), out.address())
                && Arrays.equals(bytes(out), expected);
    }

    private boolean isRefused(byte[] with) {
        put(peer, with);
        return !function.derive(secretKey.address(), peer.address(), out.address());
    }

    /** Two pairs differ, and the public key of each is that of its secret key. */
    private boolean isPairFresh() {
        byte[][] secrets = new byte[2][];
        boolean consistent = true;
        for (int i = 0; i < secrets.length; i++) {
            function.generate(secretKey.address(), peer.address());
            secrets[i] = bytes(secretKey);
            consistent &= isAgreed(secrets[i], BASE_POINT, bytes(peer));
        }
        boolean differ = !Arrays.equals(secrets[0], secrets[1]);
        secretKey.fill((byte) 0);
        return consistent && differ;
    }

    private static void put(MemorySegment to, byte[] value) {
        RawMemory.copy(value, 0, to.address(), value.length);
    }

    private static byte[] bytes(MemorySegment from) {
        byte[] result = new byte[X25519Function.BYTES];
        RawMemory.copy(from.address(), result, 0, result.length);
        return result;
    }

    private static byte[] base() {
        byte[] result = new byte[X25519Function.BYTES];
        result[0] = 9;
        return result;
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
