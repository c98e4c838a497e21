package dev.sluice.transfer.mount;

import dev.sluice.memory.Slab;
import org.jspecify.annotations.Nullable;

/** A block of a file in the {@link BlockCache}. Guarded by the mount's lock. */
final class Block {
    State state = State.FREE;

    /** The memory; null while free. */
    @Nullable
    Slab slab;

    long node;
    long index;

    /** The bytes received: fewer than a block at the end of the file only. */
    int length;

    /** The peer's errno, or 0. */
    int error;

    /** The waiting reads that need the block. */
    int pins;

    /** The time of the last use, in uses of the cache. */
    long lastUse;

    /** The next block with the same hash. */
    @Nullable
    Block next;

    /** The life of a block. */
    enum State {
        /** Without contents. */
        FREE,
        /** Requested from the peer. */
        LOADING,
        /** Requested, but out of date: only for the reads that wait for it. */
        LOADING_STALE,
        /** With contents. */
        READY,
        /** With contents that are out of date: only for the reads that wait for it. */
        STALE
    }

    boolean isLoading() {
        return state == State.LOADING || state == State.LOADING_STALE;
    }
}
