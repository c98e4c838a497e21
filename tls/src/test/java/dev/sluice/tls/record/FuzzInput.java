package dev.sluice.tls.record;

import java.util.Arrays;

/** A fuzzer's bytes as a sequence of decisions; zeros after its end. */
final class FuzzInput {
    private final byte[] bytes;
    private int next;

    FuzzInput(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return next < bytes.length;
    }

    /** Returns the next octet, 0 to 255. */
    int octet() {
        return hasMore() ? bytes[next++] & 0xFF : 0;
    }

    /** Returns the next bytes, fewer at the end of the input. */
    byte[] take(int most) {
        int end = Math.min(bytes.length, next + most);
        byte[] taken = Arrays.copyOfRange(bytes, Math.min(next, end), end);
        next = end;
        return taken;
    }
}
