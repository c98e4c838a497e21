package dev.sluice.gateway.accesslog;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * Entries on their way from one loop to the writer: off-heap, one thread writes, one reads, and neither waits for the
 * other. Who writes hears at once when there is no room. Allocates nothing after its making.
 *
 * <pre>
 *   0           64          128
 *   +-----------+-----------+--------------------------------------------+
 *   | head:     | tail:     | entries, each behind its length;           |
 *   | read till | written   | a negative length: nothing from here to    |
 *   | here      | till here | the end, which an entry would not have fit |
 *   +-----------+-----------+--------------------------------------------+
 * </pre>
 *
 * <p>Head and tail count bytes and go over from 2^31 − 1 to −2^31; their difference is right all the same. An entry is
 * made visible by the release of the tail behind it, its room by the release of the head.
 */
final class EntryRing implements AutoCloseable {
    /** Entries begin at multiples of it, and are as long. */
    static final int ALIGNMENT = 8;

    private static final int TAIL_OFFSET = 64;
    private static final int ENTRIES_OFFSET = 128;

    private final NativeAllocator allocator;
    private final MemorySegment memory;
    private final long headAddress;
    private final long tailAddress;
    private final long entries;
    private final int capacity;

    // The writer's.
    private int tail;
    private int headSeen;
    private int claimed;

    // The reader's.
    private int head;

    /**
     * Creates an entry ring.
     *
     * @param capacity room for entries, in bytes: a power of two, 1 KiB at least
     */
    EntryRing(NativeAllocator allocator, int capacity) {
        if (capacity < 1 << 10 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("a ring's capacity must be a power of two from 1024 on: " + capacity);
        }
        this.allocator = allocator;
        this.memory = allocator.allocate(ENTRIES_OFFSET + (long) capacity, ENTRIES_OFFSET);
        this.headAddress = memory.address();
        this.tailAddress = headAddress + TAIL_OFFSET;
        this.entries = headAddress + ENTRIES_OFFSET;
        this.capacity = capacity;
    }

    // --- the writer's thread ----------------------------------------------------------------------------------------

    /**
     * Takes room for an entry, which {@link #publish} makes visible.
     *
     * @param length a multiple of {@value #ALIGNMENT}, much less than the capacity
     * @return the entry's address, its length written; 0 when there is no room
     */
    long claim(int length) {
        int toEnd = capacity - (tail & (capacity - 1));
        int needed = length <= toEnd ? length : toEnd + length;
        if (needed > room()) {
            headSeen = RawMemory.getIntAcquire(headAddress);
            if (needed > room()) {
                return 0;
            }
        }
        if (length > toEnd) {
            AccessEntry.length(at(tail), -toEnd);
            tail += toEnd;
        }
        claimed = length;
        long entry = at(tail);
        AccessEntry.length(entry, length);
        return entry;
    }

    private int room() {
        return capacity - (tail - headSeen);
    }

    /** The entry that was claimed last is complete. */
    void publish() {
        tail += claimed;
        claimed = 0;
        RawMemory.putIntRelease(tailAddress, tail);
    }

    // --- the reader's thread ----------------------------------------------------------------------------------------

    /**
     * Hands out entries, the oldest first.
     *
     * @param reader given the address of each, which is good for the time of the call
     * @param most how many at most
     * @return how many there were
     */
    int read(LongConsumer reader, int most) {
        int end = RawMemory.getIntAcquire(tailAddress);
        int count = 0;
        while (head != end && count < most) {
            long entry = at(head);
            int length = AccessEntry.length(entry);
            if (length < 0) {
                head -= length;
            } else {
                reader.accept(entry);
                head += length;
                count++;
            }
        }
        RawMemory.putIntRelease(headAddress, head);
        return count;
    }

    private long at(int position) {
        return entries + (position & (capacity - 1));
    }

    /** Frees the ring; to be called when neither thread uses it any more. */
    @Override
    public void close() {
        allocator.free(memory);
    }
}
