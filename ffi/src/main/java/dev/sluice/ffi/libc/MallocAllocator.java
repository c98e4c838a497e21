package dev.sluice.ffi.libc;

import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.OutOfNativeMemoryException;
import java.lang.foreign.MemorySegment;

/** An allocator from the C library's heap, for small and odd sizes. Thread-safe. */
public final class MallocAllocator implements NativeAllocator {
    private static final long LEAST_ALIGNMENT_BYTES = 16;

    /** Creates an allocator; it has no state. */
    public MallocAllocator() {}

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        long alignment = Math.max(byteAlignment, LEAST_ALIGNMENT_BYTES);
        long address = LibC.alignedAlloc(alignment, (byteSize + alignment - 1) / alignment * alignment);
        if (address == 0) {
            throw new OutOfNativeMemoryException("malloc refused " + byteSize
                    + " bytes: the system or the container's limit is exhausted; raise the limit or lower the buffers");
        }
        return RawMemory.view(address, byteSize).fill((byte) 0);
    }

    @Override
    public void free(MemorySegment segment) {
        LibC.free(segment.address());
    }
}
