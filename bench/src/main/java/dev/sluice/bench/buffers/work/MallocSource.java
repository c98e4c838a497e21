package dev.sluice.bench.buffers.work;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the C library's heap, allocated and freed by foreign calls.
 *
 * @param byteSize the size of each piece, a multiple of {@value #ALIGNMENT_BYTES}
 */
record MallocSource(int byteSize) implements BufferSource<MemorySegment> {
    /** The alignment that malloc(3) has anyway, so that aligned_alloc(3) is the same. */
    private static final int ALIGNMENT_BYTES = 16;

    @Override
    public MemorySegment allocate() {
        return RawMemory.view(LibC.alignedAlloc(ALIGNMENT_BYTES, byteSize), byteSize);
    }

    @Override
    public void free(MemorySegment segment) {
        LibC.free(segment.address());
    }

    @Override
    public void touch(MemorySegment segment) {
        ArenaSource.touch(segment, byteSize);
    }

    @Override
    public void zero(MemorySegment segment) {
        segment.fill((byte) 0);
    }
}
