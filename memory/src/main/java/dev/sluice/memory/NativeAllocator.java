package dev.sluice.memory;

import java.lang.foreign.MemorySegment;

/**
 * Where native memory comes from. Asked when a pool or a ring is made, never per lease.
 *
 * <p>Implementations may be called from any thread. The real ones stand in the module {@code ffi}.
 */
public interface NativeAllocator {
    /**
     * Allocates zeroed memory.
     *
     * @param byteSize how much, in bytes, at least 1
     * @param byteAlignment a power of two
     * @return a segment of exactly {@code byteSize} bytes in the global scope; the caller owns it and gives it back
     *     with {@link #free}
     * @throws OutOfNativeMemoryException when the system refuses
     */
    MemorySegment allocate(long byteSize, long byteAlignment);

    /** Gives back what {@link #allocate} returned: that segment, or another of the same address and size; once. */
    void free(MemorySegment segment);
}
