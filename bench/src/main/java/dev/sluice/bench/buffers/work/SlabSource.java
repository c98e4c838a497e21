package dev.sluice.bench.buffers.work;

import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;

/** Slabs of a pool, as the event loops lease them. */
final class SlabSource implements BufferSource<Slab> {
    private static final int MOST_PER_CHUNK = 16;

    private final SlabPool pool;
    private final int byteSize;

    /**
     * Creates the pool.
     *
     * @param byteSize the size of a slab
     * @param live number of slabs
     */
    SlabSource(int byteSize, int live) {
        this.byteSize = byteSize;
        this.pool = new SlabPool(
                new MmapAllocator(),
                Ledger.process().account("bench slabs"),
                byteSize,
                Math.min(live, MOST_PER_CHUNK),
                live);
    }

    @Override
    public Slab allocate() {
        Slab slab = pool.lease();
        if (slab == null) {
            throw new IllegalStateException("all slabs are leased, slabs=" + pool.maxSlabs());
        }
        return slab;
    }

    @Override
    public void free(Slab slab) {
        slab.release();
    }

    @Override
    public void touch(Slab slab) {
        for (int at = 0; at < byteSize; at += PAGE_BYTES) {
            RawMemory.putByte(slab.address() + at, (byte) 1);
        }
    }

    @Override
    public void zero(Slab slab) {
        RawMemory.zero(slab.address(), byteSize);
    }

    @Override
    public void close() {
        pool.close();
    }
}
