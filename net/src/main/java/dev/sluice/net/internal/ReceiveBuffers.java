package dev.sluice.net.internal;

import dev.sluice.ffi.uring.BufferRing;
import dev.sluice.ffi.uring.Ring;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.OutOfNativeMemoryException;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.net.BufferGeometry;
import org.jspecify.annotations.Nullable;

/**
 * The loop's slabs on offer to the kernel, so that an idle connection holds none. A slab is leased while it is on
 * offer; when a receive has used it, it becomes the receiver's. A slab's number in its pool is its number in the ring.
 */
final class ReceiveBuffers implements AutoCloseable {
    /** The buffer group that receives name; the loop has only one. */
    static final int GROUP = 0;

    /**
     * Most buffers that the kernel can fill in one turn: half of them may be filled already when the others are asked
     * for.
     */
    static final int MOST_ON_OFFER = 2 * Transport.LEAST_SERVED_PER_TURN;

    private final SlabPool pool;
    private final BufferRing ring;
    private final boolean[] onOffer;

    ReceiveBuffers(Ring ring, SlabPool pool, NativeAllocator allocator) {
        this.pool = pool;
        // Half of a small pool stays free for what is being sent.
        int entries = Math.min(MOST_ON_OFFER, Integer.highestOneBit(pool.maxSlabs() / 2));
        this.ring = BufferRing.register(ring, allocator, entries, GROUP);
        this.onOffer = new boolean[pool.maxSlabs()];
    }

    /** Offers as many as there is room for and the pool has; what the pool throws comes out behind those. */
    void refill() {
        int before = ring.provided();
        try {
            provideAll();
        } finally {
            if (ring.provided() != before) {
                ring.publish();
            }
        }
    }

    private void provideAll() {
        while (ring.room() > 0) {
            Slab slab = leaseIfGranted();
            if (slab == null) {
                return;
            }
            onOffer[slab.index()] = true;
            ring.provide(slab.address() + BufferGeometry.HEADROOM, BufferGeometry.ROOM, slab.index());
        }
    }

    /**
     * Leases a slab. Memory that the system refuses is as good as leased to somebody: what there is suffices to go on.
     */
    private @Nullable Slab leaseIfGranted() {
        try {
            return pool.lease();
        } catch (OutOfNativeMemoryException refused) {
            return null;
        }
    }

    /** Returns how many can be on offer. */
    int most() {
        return ring.room() + ring.provided();
    }

    /** Returns how many are on offer. */
    int available() {
        return ring.provided();
    }

    /** Takes the slab that a completion used, the caller's now. */
    Slab take(int completionFlags) {
        Slab slab = pool.slab(ring.taken(completionFlags));
        onOffer[slab.index()] = false;
        return slab;
    }

    /** Takes all back from the kernel; no receive may be under way. */
    @Override
    public void close() {
        ring.close();
        for (int index = 0; index < onOffer.length; index++) {
            if (onOffer[index]) {
                onOffer[index] = false;
                pool.slab(index).release();
            }
        }
    }
}
