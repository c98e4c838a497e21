package dev.sluice.gateway.earlydata;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A set of 64-bit keys with a limit, in native memory that is taken with the first key: a hash table with open
 * addressing, never more than half full. 0 marks a free slot. Not thread-safe.
 */
final class StrikeTable implements AutoCloseable {
    private static final Ledger.Account ACCOUNT = Ledger.process().account("strike register");

    private final int limit;
    private final int slots;
    private final NativeAllocator allocator;
    private @Nullable MemorySegment memory;
    private int count;

    /**
     * Creates a strike table.
     *
     * @param limit how many keys it may have, at least 1
     */
    StrikeTable(int limit, NativeAllocator allocator) {
        this.limit = limit;
        this.slots = Integer.highestOneBit(limit) * 4; // at least twice as many
        this.allocator = allocator;
    }

    boolean contains(long key) {
        MemorySegment table = memory;
        return table != null && count > 0 && RawMemory.getLong(find(table, notZero(key))) != 0;
    }

    /** Adds a key that it does not contain; false when it is full. */
    boolean add(long key) {
        if (count == limit) {
            return false;
        }
        RawMemory.putLong(find(table(), notZero(key)), notZero(key));
        count++;
        return true;
    }

    /** The address of the slot that has the key, or else of the free one where it would go. */
    private long find(MemorySegment table, long key) {
        for (long slot = key; ; slot++) {
            long address = table.address() + (slot & (slots - 1)) * Long.BYTES;
            long there = RawMemory.getLong(address);
            if (there == key || there == 0) {
                return address;
            }
        }
    }

    private static long notZero(long key) {
        return key == 0 ? 1 : key;
    }

    private MemorySegment table() {
        MemorySegment table = memory;
        if (table == null) {
            table = allocator.allocate(bytes(), Long.BYTES);
            memory = table;
            ACCOUNT.acquired(bytes());
        }
        return table;
    }

    private long bytes() {
        return (long) slots * Long.BYTES;
    }

    /** Forgets all keys. */
    void clear() {
        MemorySegment table = memory;
        if (table != null && count > 0) {
            table.fill((byte) 0);
            count = 0;
        }
    }

    @Override
    public void close() {
        MemorySegment table = memory;
        if (table != null) {
            memory = null;
            count = 0;
            allocator.free(table);
            ACCOUNT.released(bytes());
        }
    }
}
