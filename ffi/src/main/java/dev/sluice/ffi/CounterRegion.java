package dev.sluice.ffi;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one thread in one piece of native memory: slots of 64 bits, which begin at 0. The thread that owns the region
 * adds, without a lock and without making garbage; any thread may read, also after the close, when the figures stay as they
 * were.
 *
 * <pre>
 *   0        8        16
 *   +--------+--------+-----
 *   | slot 0 | slot 1 | ...     longs in native byte order, aligned; the region begins at a cache line
 *   +--------+--------+-----
 * </pre>
 */
public final class CounterRegion implements AutoCloseable {
    private static final long CACHE_LINE_BYTES = 64;
    private static final long CLOSED = 0;

    private final NativeAllocator allocator;
    private final Ledger.Account account;
    private final MemorySegment memory;
    private final int slots;

    /** What the owner adds by; {@value #CLOSED} after the close. Others read it with the lock. */
    private long address;

    private long @Nullable [] last;

    /**
     * Makes a region.
     *
     * @param owner in the {@link Ledger}
     * @param slots how many counters, at least one
     */
    public CounterRegion(String owner, int slots) {
        this(owner, slots, new MallocAllocator());
    }

    /** The same with memory from somewhere else, zeroed. */
    public CounterRegion(String owner, int slots, NativeAllocator allocator) {
        if (slots < 1) {
            throw new IllegalArgumentException("a region of counters needs a slot at least, slots=" + slots);
        }
        this.allocator = allocator;
        this.account = Ledger.process().account(owner);
        this.slots = slots;
        this.memory = allocator.allocate((long) slots * Long.BYTES, CACHE_LINE_BYTES);
        this.address = memory.address();
        account.acquired(memory.byteSize());
    }

    /**
     * Adds to a counter; on the owner's thread. Without effect after the close.
     *
     * @param slot 0 or more, less than there are: the caller vouches for it
     */
    public void add(int slot, long amount) {
        long at = address;
        if (at != CLOSED) {
            at += (long) slot * Long.BYTES;
            RawMemory.putLongOpaque(at, RawMemory.getLong(at) + amount);
        }
    }

    /** What a counter stands at. */
    public synchronized long get(int slot) {
        if (slot < 0 || slot >= slots) {
            throw new IndexOutOfBoundsException("no such counter, slot=" + slot + ", slots=" + slots);
        }
        long[] kept = last;
        return kept != null ? kept[slot] : RawMemory.getLongOpaque(address + (long) slot * Long.BYTES);
    }

    /** Frees the memory and keeps the figures; when the owner's thread adds no more. Again without effect. */
    @Override
    public synchronized void close() {
        if (last != null) {
            return;
        }
        long[] kept = new long[slots];
        for (int slot = 0; slot < slots; slot++) {
            kept[slot] = RawMemory.getLongOpaque(address + (long) slot * Long.BYTES);
        }
        last = kept;
        address = CLOSED;
        account.released(memory.byteSize());
        allocator.free(memory);
    }
}
