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
        long roundedSize = (byteSize + alignment - 1) / alignment * alignment;
        long address = LibC.alignedAlloc(alignment, roundedSize);
        if (address == 0) {
            throw new OutOfNativeMemoryException("malloc refused " + byteSize
                    + " bytes: the system or the container's limit is exhausted; raise the limit or lower the buffers");
        }
        AddressSanitizer.forbid(address + byteSize, roundedSize - byteSize);
        return RawMemory.view(address, byteSize).fill((byte) 0);
    }

    @Override
    public void free(MemorySegment segment) {
        LibC.free(segment.address());
    }

    @Override
    public void forbid(long address, long byteSize) {
        AddressSanitizer.forbid(address, byteSize);
    }

    @Override
    public void permit(long address, long byteSize) {
        AddressSanitizer.permit(address, byteSize);
    }
}
