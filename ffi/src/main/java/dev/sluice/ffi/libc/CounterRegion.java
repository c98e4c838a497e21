package dev.sluice.ffi.libc;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one thread in one piece of native memory: 64-bit slots, initially 0. The owner thread adds without a
 * lock and without allocation. Any thread may read, also after the close, which keeps the last values.
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

    /** The address that the owner adds at; {@value #CLOSED} after the close. Others read it with the lock. */
    private long address;

    private long @Nullable [] last;

    /**
     * Creates a region.
     *
     * @param owner in the {@link Ledger}
     * @param slots how many counters, at least one
     */
    public CounterRegion(String owner, int slots) {
        this(owner, slots, new MallocAllocator());
    }

    /** Creates a region in zeroed memory of another allocator. */
    public CounterRegion(String owner, int slots, NativeAllocator allocator) {
        if (slots < 1) {
            throw new IllegalArgumentException("counter region requires at least one slot, slots=" + slots);
        }
        this.allocator = allocator;
        this.account = Ledger.process().account(owner);
        this.slots = slots;
        this.memory = allocator.allocate((long) slots * Long.BYTES, CACHE_LINE_BYTES);
        this.address = memory.address();
        account.acquired(memory.byteSize());
    }

    /**
     * Adds to a counter, on the owner's thread. No effect after the close.
     *
     * @param slot 0 to slots - 1; not checked
     */
    public void add(int slot, long amount) {
        long at = address;
        if (at != CLOSED) {
            at += (long) slot * Long.BYTES;
            RawMemory.putLongOpaque(at, RawMemory.getLong(at) + amount);
        }
    }

    /** Returns the value of a counter. */
    public synchronized long get(int slot) {
        if (slot < 0 || slot >= slots) {
            throw new IndexOutOfBoundsException("no such counter, slot=" + slot + ", slots=" + slots);
        }
        long[] kept = last;
        return kept != null ? kept[slot] : RawMemory.getLongOpaque(address + (long) slot * Long.BYTES);
    }

    /** Frees the memory and keeps the values; called when the owner's thread no longer adds. Idempotent. */
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
