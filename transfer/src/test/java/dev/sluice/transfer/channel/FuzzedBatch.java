package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;

/** Bytes as a channel has received them, in records of a size. Owned by whoever makes it, and for one thread. */
public final class FuzzedBatch implements AutoCloseable {
    private final byte[] bytes;
    private final int recordBytes;
    private final Owned owned = new Owned(new MallocAllocator());
    private final IncomingBatch batch;
    private int next;

    /**
     * Creates the bytes of a peer.
     *
     * @param recordBytes of each record but the last; at most 16,384
     */
    public FuzzedBatch(byte[] bytes, int recordBytes) {
        this.bytes = bytes;
        this.recordBytes = recordBytes;
        this.batch = new IncomingBatch(owned, 1, this::receive);
    }

    /** Returns the batch. */
    public IncomingBatch incoming() {
        return batch;
    }

    private boolean receive() {
        int count = Math.min(recordBytes, bytes.length - next);
        if (count == 0) {
            return false;
        }
        batch.clear();
        RawMemory.copy(bytes, next, batch.slab().address(), count);
        batch.add(batch.slab().address(), count);
        next += count;
        return true;
    }

    @Override
    public void close() {
        owned.close();
    }
}
