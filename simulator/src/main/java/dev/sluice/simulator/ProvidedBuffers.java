package dev.sluice.simulator;

import dev.sluice.ffi.libc.RawMemory;

/** The kernel's side of a ring of provided buffers, {@code struct io_uring_buf_ring}. */
final class ProvidedBuffers {
    private static final int TAIL_OFFSET = 14;
    private static final int ENTRY_BYTES = 16;

    private final long ring;
    private final int mask;
    private int head;

    ProvidedBuffers(long ring, int entries) {
        this.ring = ring;
        this.mask = entries - 1;
    }

    boolean isEmpty() {
        return (short) head == RawMemory.getShort(ring + TAIL_OFFSET);
    }

    long address() {
        return RawMemory.getLong(entry());
    }

    int length() {
        return RawMemory.getInt(entry() + 8);
    }

    /** Consumes a buffer and returns its id. */
    int take() {
        int id = RawMemory.getShort(entry() + 12) & 0xFFFF;
        head++;
        return id;
    }

    private long entry() {
        return ring + (long) (head & mask) * ENTRY_BYTES;
    }
}
