package dev.sluice.ffi.libc;

import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.OutOfNativeMemoryException;
import java.lang.foreign.MemorySegment;

/**
 * An allocator of whole pages from the kernel, for pools and rings. Pages cost nothing until they are touched, and
 * return to the system as soon as they are freed. Thread-safe.
 */
public final class MmapAllocator implements NativeAllocator {
    private static final long PAGE_BYTES = 4096;

    /** Creates an allocator; it has no state. */
    public MmapAllocator() {}

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        if (byteAlignment > PAGE_BYTES) {
            throw new IllegalArgumentException(
                    "mmap aligns to pages of " + PAGE_BYTES + " bytes, requested byteAlignment=" + byteAlignment);
        }
        try (LibC libc = new LibC()) {
            long address = libc.mmap(
                    0,
                    byteSize,
                    Constants.PROT_READ | Constants.PROT_WRITE,
                    Constants.MAP_PRIVATE | Constants.MAP_ANONYMOUS,
                    -1,
                    0);
            if (address < 0) {
                throw new OutOfNativeMemoryException("mmap refused " + byteSize + " bytes: "
                        + Errno.describe((int) address)
                        + "; raise the container's memory limit or vm.max_map_count, or lower the buffers");
            }
            return RawMemory.view(address, byteSize);
        }
    }

    @Override
    public void free(MemorySegment segment) {
        try (LibC libc = new LibC()) {
            int result = libc.munmap(segment.address(), segment.byteSize());
            if (result < 0) {
                throw new IllegalStateException("munmap refused address=" + segment.address() + ", bytes="
                        + segment.byteSize() + ": " + Errno.describe(result) + "; was it freed twice?");
            }
        }
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
