package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.RawMemory;

/**
 * The queue from the kernel, read through a cursor: {@link #next()} consumes the oldest completion, the getters read
 * it.
 */
public final class CompletionQueue {
    private final long headAddress;
    private final long tailAddress;
    private final long entriesAddress;
    private final int mask;
    private int head;
    private long token;
    private int result;
    private int flags;

    CompletionQueue(long headAddress, long tailAddress, long entriesAddress, int entries) {
        this.headAddress = headAddress;
        this.tailAddress = tailAddress;
        this.entriesAddress = entriesAddress;
        this.mask = entries - 1;
        this.head = RawMemory.getIntAcquire(headAddress);
    }

    /** Returns the number of completions that can be read now. */
    public int available() {
        return RawMemory.getIntAcquire(tailAddress) - head;
    }

    /**
     * Consumes the oldest completion. Its slot returns to the kernel at once, so that submissions made while handling
     * it find room for their completions.
     *
     * @return false when there is none
     */
    public boolean next() {
        if (available() == 0) {
            return false;
        }
        long cqe = entriesAddress + (long) (head & mask) * Cqe.BYTES;
        token = RawMemory.getLong(cqe + Cqe.USER_DATA_OFFSET);
        result = RawMemory.getInt(cqe + Cqe.RES_OFFSET);
        flags = RawMemory.getInt(cqe + Cqe.FLAGS_OFFSET);
        head++;
        RawMemory.putIntRelease(headAddress, head);
        return true;
    }

    /** Returns the token of the submission. */
    public long token() {
        return token;
    }

    /** Returns the result of the call: at least 0, or -errno. */
    public int result() {
        return result;
    }

    /** Returns the flags of the completion. */
    public int flags() {
        return flags;
    }
}
