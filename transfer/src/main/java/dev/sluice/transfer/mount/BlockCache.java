package dev.sluice.transfer.mount;

import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.transfer.mount.Block.State;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of file blocks off the heap; the least recently used block makes room. Guarded by the mount's lock.
 * Looking up, taking and dropping allocate nothing.
 */
final class BlockCache implements AutoCloseable {
    /** The size of a block, and of a request that fills it. */
    static final int BLOCK_BYTES = 128 * 1024;

    private static final Ledger.Account MEMORY = Ledger.process().account("mount cache");
    private static final int BLOCKS_PER_CHUNK = 8;

    private final SlabPool pool;
    private final Block[] blocks;
    private final @Nullable Block[] buckets;
    private long uses;

    /** Creates an empty cache. */
    BlockCache(long bytes) {
        int count = Math.toIntExact(bytes / BLOCK_BYTES);
        pool = new SlabPool(new MmapAllocator(), MEMORY, BLOCK_BYTES, BLOCKS_PER_CHUNK, count);
        blocks = new Block[count];
        for (int i = 0; i < count; i++) {
            blocks[i] = new Block();
        }
        buckets = new Block[Integer.highestOneBit(count) * 2];
    }

    /** Returns a current block of a file, loading or ready, or null. */
    @Nullable
    Block find(long node, long index) {
        Block block = buckets[bucket(node, index)];
        while (block != null && (block.node != node || block.index != index)) {
            block = block.next;
        }
        if (block != null) {
            block.lastUse = ++uses;
        }
        return block;
    }

    /** Takes a block for a part of a file that is not in the cache; it is loading. Null when all are in use. */
    @Nullable
    Block take(long node, long index) {
        Block block = reusable();
        if (block == null) {
            return null;
        }
        if (block.state == State.READY) {
            drop(block);
        }
        Slab slab = pool.lease();
        if (slab == null) {
            return null;
        }
        block.slab = slab;
        block.state = State.LOADING;
        block.node = node;
        block.index = index;
        block.length = 0;
        block.error = 0;
        block.lastUse = ++uses;
        int bucket = bucket(node, index);
        block.next = buckets[bucket];
        buckets[bucket] = block;
        return block;
    }

    private @Nullable Block reusable() {
        Block oldest = null;
        for (Block block : blocks) {
            if (block.state == State.FREE) {
                return block;
            }
            boolean idle = block.state == State.READY && block.pins == 0;
            if (idle && (oldest == null || block.lastUse < oldest.lastUse)) {
                oldest = block;
            }
        }
        return oldest;
    }

    /** Marks a block that has been read to its end: the first to make room. */
    void consumed(Block block) {
        block.lastUse = 0;
    }

    /** Ends the loading of a block. One with an error is kept only for the reads that wait for it. */
    void loaded(Block block, int length, int error) {
        block.length = length;
        block.error = error;
        boolean current = block.state == State.LOADING;
        block.state = current ? State.READY : State.STALE;
        if (current && error != 0) {
            drop(block);
        } else {
            releaseStale(block);
        }
    }

    /** Keeps a block for a waiting read. */
    void pin(Block block) {
        block.pins++;
    }

    /** Ends that. */
    void unpin(Block block) {
        block.pins--;
        releaseStale(block);
    }

    /** Drops all blocks of a file. */
    void drop(Node node) {
        drop(node, 0, Long.MAX_VALUE);
    }

    /** Drops the blocks of a file that a range of bytes touches. */
    void drop(Node node, long from, long to) {
        for (Block block : blocks) {
            boolean current = block.state == State.READY || block.state == State.LOADING;
            long start = block.index * BLOCK_BYTES;
            if (current && block.node == node.number && start < to && start + BLOCK_BYTES > from) {
                drop(block);
            }
        }
    }

    private void drop(Block block) {
        int bucket = bucket(block.node, block.index);
        Block each = buckets[bucket];
        if (each == block) {
            buckets[bucket] = block.next;
        } else {
            while (each != null && each.next != block) {
                each = each.next;
            }
            if (each != null) {
                each.next = block.next;
            }
        }
        block.next = null;
        block.state = block.isLoading() ? State.LOADING_STALE : State.STALE;
        releaseStale(block);
    }

    private static void releaseStale(Block block) {
        Slab slab = block.slab;
        if (block.state == State.STALE && block.pins == 0 && slab != null) {
            slab.release();
            block.slab = null;
            block.state = State.FREE;
        }
    }

    private int bucket(long node, long index) {
        long hash = (node * 0x9E3779B97F4A7C15L + index) * 0xC2B2AE3D27D4EB4FL;
        return (int) (hash >>> Integer.SIZE) & buckets.length - 1;
    }

    /** Frees the memory; nothing is loading or waited for any more. */
    @Override
    public void close() {
        for (Block block : blocks) {
            Slab slab = block.slab;
            if (slab != null) {
                slab.release();
                block.slab = null;
            }
        }
        pool.close();
    }
}
