package dev.sluice.ffi.uring;

import dev.sluice.ffi.RawMemory;

/**
 * The queue from the kernel, read through a cursor: {@link #next()} takes the oldest completion out, the getters tell of it.
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

    /** How many completions can be read now. */
    public int available() {
        return RawMemory.getIntAcquire(tailAddress) - head;
    }

    /**
     * Takes the oldest completion out and remembers it; its place goes back to the kernel at once, so that a submission
     * made while it is worked on finds room for what it completes.
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

    /** What the submission was marked with. */
    public long token() {
        return token;
    }

    /** What the call returned: at least 0, or -errno. */
    public int result() {
        return result;
    }

    /** Flags of the completion. */
    public int flags() {
        return flags;
    }
}
