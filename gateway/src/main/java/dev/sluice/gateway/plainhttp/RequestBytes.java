package dev.sluice.gateway.plainhttp;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import java.util.Arrays;

/** The first bytes of a plain HTTP connection, as far as they have come and up to a limit. Confined to one thread. */
public final class RequestBytes {
    /** The most bytes of a request's head that are read. */
    public static final int BYTES_MAX = 8 * 1024;

    /** Result of {@link #headBytes}: the empty line has not come. */
    static final int UNFINISHED = -1;

    private byte[] bytes = {};
    /** The length of the head, its empty line included. */
    private int headBytes = UNFINISHED;

    /** Adds what was received, and returns the buffer to its pool. Bytes above the limit are dropped. */
    public void add(Slab received) {
        int before = bytes.length;
        int taken = Math.min(received.length(), BYTES_MAX - before);
        bytes = Arrays.copyOf(bytes, before + taken);
        RawMemory.copy(received.payloadAddress(), bytes, before, taken);
        received.release();
        headBytes = headBytes(bytes);
    }

    /** Returns the size of a head, whose lines may end without a carriage return (RFC 9112 section 2.2). */
    static int headBytes(byte[] bytes) {
        boolean lineIsEmpty = false;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                if (lineIsEmpty) {
                    return i + 1;
                }
                lineIsEmpty = true;
            } else if (bytes[i] != '\r') {
                lineIsEmpty = false;
            }
        }
        return UNFINISHED;
    }

    /** Returns true before the first byte. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Returns true when the head is there up to its empty line. */
    public boolean isWhole() {
        return headBytes != UNFINISHED;
    }

    /** Returns true when no more bytes are of interest: the head is whole, or longer than the limit. */
    public boolean isEnough() {
        return isWhole() || bytes.length == BYTES_MAX;
    }

    /** Returns true when the first byte is a visible character, as in every request and in no TLS record. */
    public boolean beginsAsText() {
        return bytes.length > 0 && bytes[0] > ' ' && bytes[0] < 0x7f;
    }

    /** Returns what the first bytes are. */
    public HttpBegin begin() {
        return HttpBegin.of(bytes);
    }

    /** Returns the head, or its first part. */
    public RequestHead head() {
        return RequestHead.of(isWhole() ? Arrays.copyOf(bytes, headBytes) : bytes);
    }
}
