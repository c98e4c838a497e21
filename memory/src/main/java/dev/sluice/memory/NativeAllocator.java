package dev.sluice.memory;

import java.lang.foreign.MemorySegment;

/**
 * A source of native memory. Called when a pool or a ring is created, never per lease.
 *
 * <p>Implementations may be called from any thread. The product's implementations are in the module {@code ffi}.
 */
public interface NativeAllocator {
    /**
     * Allocates zeroed memory.
     *
     * @param byteSize size in bytes, at least 1
     * @param byteAlignment a power of two
     * @return a segment of exactly {@code byteSize} bytes in the global scope; the caller owns it and frees it with
     *     {@link #free}
     * @throws OutOfNativeMemoryException when the system refuses
     */
    MemorySegment allocate(long byteSize, long byteAlignment);

    /**
     * Frees a segment that {@link #allocate} returned, or another segment of the same address and size. Called once per
     * allocation.
     */
    void free(MemorySegment segment);

    /**
     * Declares memory of this allocator to be out of use, for a checker of memory accesses that watches the process.
     * Without one it does nothing. Idempotent. Must be {@linkplain #permit permitted} again before it is freed.
     *
     * @param address the first byte
     * @param byteSize how many bytes, of one allocation
     */
    default void forbid(long address, long byteSize) {}

    /** Declares forbidden memory to be in use again. */
    default void permit(long address, long byteSize) {}
}
