package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.RawMemory;

/**
 * The queue to the kernel. This side owns the tail, the kernel the head; {@code 0 <= tail - head <= entries} in
 * wrapping arithmetic.
 */
public final class SubmissionQueue {
    private final long headAddress;
    private final long tailAddress;
    private final long entriesAddress;
    private final int entries;
    private final int mask;
    private int tail;

    /**
     * Creates an instance.
     *
     * @param arrayAddress the array of indices, or 0 for a ring without one
     */
    SubmissionQueue(long headAddress, long tailAddress, long entriesAddress, int entries, long arrayAddress) {
        this.headAddress = headAddress;
        this.tailAddress = tailAddress;
        this.entriesAddress = entriesAddress;
        this.entries = entries;
        this.mask = entries - 1;
        this.tail = RawMemory.getIntAcquire(tailAddress);
        if (arrayAddress != 0) {
            for (int i = 0; i < entries; i++) {
                RawMemory.putInt(arrayAddress + (long) i * Integer.BYTES, i);
            }
        }
    }

    /** Returns the next entry, zeroed, for {@link Sqe}; 0 when the queue is full and must be submitted first. */
    public long next() {
        if (pending() == entries) {
            return 0;
        }
        long sqe = entriesAddress + (long) (tail & mask) * Sqe.BYTES;
        tail++;
        Sqe.clear(sqe);
        return sqe;
    }

    /** Publishes the entries to the kernel and returns the number that it has not consumed yet. */
    int publish() {
        RawMemory.putIntRelease(tailAddress, tail);
        return pending();
    }

    /** Returns the number of entries that the kernel has not consumed yet. */
    public int pending() {
        return tail - RawMemory.getIntAcquire(headAddress);
    }
}
