package dev.sluice.bench.buffers.work;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** Slices of one segment, which starts over when all are used: nothing is freed one by one. */
final class SlicingSource implements BufferSource<MemorySegment> {
    private static final int LEAST_SLICES = 64;

    private final Arena arena = Arena.ofConfined();
    private final int byteSize;
    private final int slices;
    private final MemorySegment block;
    private SegmentAllocator allocator;
    private int used;

    /**
     * Allocates the segment.
     *
     * @param byteSize the size of a slice
     * @param live number of slices in use at a time
     */
    SlicingSource(int byteSize, int live) {
        this.byteSize = byteSize;
        this.slices = Math.max(LEAST_SLICES, live);
        this.block = arena.allocate((long) byteSize * slices);
        this.allocator = SegmentAllocator.slicingAllocator(block);
    }

    @Override
    public MemorySegment allocate() {
        if (used == slices) {
            allocator = SegmentAllocator.slicingAllocator(block);
            used = 0;
        }
        used++;
        return allocator.allocate(byteSize);
    }

    @Override
    public void free(MemorySegment segment) {}

    @Override
    public void touch(MemorySegment segment) {
        ArenaSource.touch(segment, byteSize);
    }

    @Override
    public void zero(MemorySegment segment) {
        segment.fill((byte) 0);
    }

    @Override
    public void close() {
        arena.close();
    }
}
