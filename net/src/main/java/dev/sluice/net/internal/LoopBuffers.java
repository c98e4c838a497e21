package dev.sluice.net.internal;

import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.net.BufferGeometry;
import org.jspecify.annotations.Nullable;

/**
 * A loop's buffers in their two sizes. The ordinary ones carry everything; the bulk ones make a busy connection
 * cheaper, are few, and nobody waits for one.
 */
final class LoopBuffers implements AutoCloseable {
    private static final int SLABS_PER_CHUNK = 16;
    private static final int BULK_SLABS_PER_CHUNK = 4;

    /** Number of ordinary buffers for each bulk one: they come to the same memory when there are four. */
    private static final int ORDINARY_PER_BULK = 16;

    private final SlabPool ordinary;
    private final SlabPool bulk;

    LoopBuffers(String loopName, int maxBuffers) {
        Ledger.Account account = Ledger.process().account(loopName + " buffers");
        int maxBulk = Math.max(1, maxBuffers / ORDINARY_PER_BULK);
        this.ordinary = new SlabPool(
                new MmapAllocator(),
                account,
                BufferGeometry.SLAB_BYTES,
                Math.min(SLABS_PER_CHUNK, maxBuffers),
                maxBuffers);
        this.bulk = new SlabPool(
                new MmapAllocator(),
                account,
                BufferGeometry.BULK_BYTES,
                Math.min(BULK_SLABS_PER_CHUNK, maxBulk),
                maxBulk);
    }

    SlabPool ordinary() {
        return ordinary;
    }

    /** Returns how many of both sizes are leased. */
    int leasedCount() {
        return ordinary.leasedCount() + bulk.leasedCount();
    }

    /**
     * Leases a buffer for as many bytes behind its headroom, or the largest one that is free.
     *
     * @return null when none is
     */
    @Nullable
    Slab lease(int bytes) {
        Slab slab = bytes > BufferGeometry.ROOM ? bulk.lease() : null;
        return slab != null ? slab : ordinary.lease();
    }

    /** Leases a bulk buffer; null when none is free. */
    @Nullable
    Slab leaseBulk() {
        return bulk.lease();
    }

    /** Returns the number of bytes that fit behind the headroom of a buffer, leaving the tailroom free. */
    static int room(Slab slab) {
        return slab.capacity() == BufferGeometry.SLAB_BYTES ? BufferGeometry.ROOM : BufferGeometry.BULK_ROOM;
    }

    @Override
    public void close() {
        try {
            ordinary.close();
        } finally {
            bulk.close();
        }
    }
}
