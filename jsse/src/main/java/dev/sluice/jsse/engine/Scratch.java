package dev.sluice.jsse.engine;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.Ledger;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Native memory for one record that cannot be sealed or opened in the caller's buffers: these are on the heap, or too
 * scattered. Leased for the length of one call, so that engines hold none.
 *
 * <p>A few pieces are kept for reuse, found by the thread's number without a lock; a lease beyond them is allocated and
 * freed.
 */
final class Scratch {
    /** Room for the largest record. */
    static final int BYTES = 19 * 1024;

    private static final int KEPT = 16; // a power of two
    private static final AtomicReferenceArray<Scratch> IDLE = new AtomicReferenceArray<>(KEPT);
    private static final MallocAllocator MALLOC = new MallocAllocator();
    private static final Ledger.Account ACCOUNT = Ledger.process().account("engine scratch");

    private final MemorySegment memory;
    private final long address;

    private Scratch() {
        memory = MALLOC.allocate(BYTES, Long.BYTES);
        address = memory.address();
        ACCOUNT.acquired(BYTES);
    }

    /** Leases a piece; {@link #release()} returns it. */
    static Scratch lease() {
        int first = place();
        for (int i = 0; i < KEPT; i++) {
            Scratch idle = IDLE.getAndSet((first + i) & (KEPT - 1), null);
            if (idle != null) {
                return idle;
            }
        }
        return new Scratch();
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & (KEPT - 1);
    }

    /** Returns the address of the memory. */
    long address() {
        return address;
    }

    /** Returns the piece; its plaintext is overwritten by the next one who leases it. */
    void release() {
        int first = place();
        for (int i = 0; i < KEPT; i++) {
            if (IDLE.compareAndSet((first + i) & (KEPT - 1), null, this)) {
                return;
            }
        }
        memory.fill((byte) 0);
        MALLOC.free(memory);
        ACCOUNT.released(BYTES);
    }
}
