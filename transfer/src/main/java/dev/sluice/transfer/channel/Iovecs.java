package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.MessageHeader;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;

/** An array of {@code struct iovec} (sys/uio.h) in native memory. Confined to one thread. */
final class Iovecs {
    /** The most that the kernel accepts in one call: IOV_MAX of limits.h. */
    static final int MAX_COUNT = 1024;

    private final MemorySegment memory;
    private int count;
    private int bytes;

    /** Allocates an array of {@code capacity} elements. */
    Iovecs(Owned owned, int capacity) {
        this.memory = owned.allocate((long) capacity * MessageHeader.IOVEC_BYTES);
    }

    void clear() {
        count = 0;
        bytes = 0;
    }

    void add(long address, int length) {
        long at = memory.address() + (long) count * MessageHeader.IOVEC_BYTES;
        RawMemory.putLong(at + MessageHeader.BASE_OFFSET, address);
        RawMemory.putLong(at + MessageHeader.LENGTH_OFFSET, length);
        count++;
        bytes += length;
    }

    long address() {
        return memory.address();
    }

    int count() {
        return count;
    }

    int bytes() {
        return bytes;
    }
}
