package dev.sluice.tls;

import java.util.Arrays;
import java.util.Random;

/** Byte arrays for tests. */
public final class Bytes {
    private Bytes() {}

    public static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Returns random bytes, the same for the same seed. */
    public static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
