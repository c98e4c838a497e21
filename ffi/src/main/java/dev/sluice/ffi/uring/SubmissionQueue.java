package dev.sluice.ffi.uring;

import dev.sluice.ffi.RawMemory;

/**
 * The queue towards the kernel. We own the tail, the kernel owns the head; {@code 0 <= tail - head <= entries} in
 * wrapping arithmetic.
 */
public final class SubmissionQueue {
    private final long headAddress;
    private final long tailAddress;
    private final long entriesAddress;
    private final int entries;
    private final int mask;
    private int tail;

    /** @param arrayAddress the array of indices, or 0 for a ring without one */
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

    /** How many entries the queue has. */
    public int entries() {
        return entries;
    }

    /** The next entry, zeroed, to be filled in by {@link Sqe}; 0 when the queue is full: submit first. */
    public long next() {
        if (pending() == entries) {
            return 0;
        }
        long sqe = entriesAddress + (long) (tail & mask) * Sqe.BYTES;
        tail++;
        Sqe.clear(sqe);
        return sqe;
    }

    /** Shows the kernel what was filled in; how many entries it has not taken yet. */
    int publish() {
        RawMemory.putIntRelease(tailAddress, tail);
        return pending();
    }

    /** Entries that the kernel has not taken yet. */
    public int pending() {
        return tail - RawMemory.getIntAcquire(headAddress);
    }
}
