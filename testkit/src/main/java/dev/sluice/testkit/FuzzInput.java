package dev.sluice.testkit;

import java.util.Arrays;

/** A fuzzer's bytes as a sequence of decisions; zeros after its end. For one thread. */
public final class FuzzInput {
    private final byte[] bytes;
    private int next;

    /** Creates an input of a fuzzer's bytes. */
    public FuzzInput(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns true before the end. */
    public boolean hasMore() {
        return next < bytes.length;
    }

    /** Returns the next octet, 0 to 255. */
    public int octet() {
        return hasMore() ? bytes[next++] & 0xFF : 0;
    }

    /** Returns the next bytes, fewer at the end of the input. */
    public byte[] take(int most) {
        int end = Math.min(bytes.length, next + most);
        byte[] taken = Arrays.copyOfRange(bytes, Math.min(next, end), end);
        next = end;
        return taken;
    }

    /** Returns all bytes that are left. */
    public byte[] rest() {
        return take(bytes.length - next);
    }
}
