package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.ProtocolLimits;
import org.jspecify.annotations.Nullable;

/** The requests of a stream that wait for answers, in order: a ring of fixed size, which allocates nothing. */
final class Pending {
    /** The most requests. */
    static final int REQUESTS_MAX = 1024;

    private final FrameType[] types = new FrameType[REQUESTS_MAX];
    private final @Nullable FilePart[] parts = new FilePart[REQUESTS_MAX];
    private final long[] offsets = new long[REQUESTS_MAX];
    private final int[] lengths = new int[REQUESTS_MAX];
    private final int[] wireBytes = new int[REQUESTS_MAX];
    private int first;
    private int count;
    private long contentBytes;
    private int requestBytes;

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == REQUESTS_MAX;
    }

    /** Returns whether a quarter of the limits is free, so that many requests leave with one system call. */
    boolean isRefillDue(long windowBytes) {
        return contentBytes <= windowBytes - windowBytes / 4
                && requestBytes <= ProtocolLimits.REQUEST_BYTES_MAX * 3 / 4
                && count <= REQUESTS_MAX * 3 / 4;
    }

    /** Returns the bytes of contents asked for. */
    long contentBytes() {
        return contentBytes;
    }

    /** Returns the bytes of the requests themselves. */
    int requestBytes() {
        return requestBytes;
    }

    void add(FrameType type, @Nullable FilePart part, long offset, int length, int bytes) {
        int index = (first + count) % REQUESTS_MAX;
        types[index] = type;
        parts[index] = part;
        offsets[index] = offset;
        lengths[index] = length;
        wireBytes[index] = bytes;
        contentBytes += type == FrameType.READ ? length : 0;
        requestBytes += bytes;
        count++;
    }

    FrameType type() {
        return types[first];
    }

    /** Returns the part of the oldest request; fails for one of the manifest. */
    FilePart part() {
        FilePart part = parts[first];
        if (part == null) {
            throw new IllegalStateException("request without a file: type=" + types[first]);
        }
        return part;
    }

    long offset() {
        return offsets[first];
    }

    int length() {
        return lengths[first];
    }

    /** Removes the oldest request. */
    void remove() {
        contentBytes -= types[first] == FrameType.READ ? lengths[first] : 0;
        requestBytes -= wireBytes[first];
        parts[first] = null;
        first = (first + 1) % REQUESTS_MAX;
        count--;
    }
}
