package dev.sluice.memory;

import org.jspecify.annotations.Nullable;

/**
 * A first-in, first-out queue of slabs, linked through the slabs themselves, so that queueing allocates nothing.
 *
 * <p>Owns the slabs in it; a slab is in at most one queue. Confined to one thread.
 */
public class SlabQueue {
    private @Nullable Slab first;
    private @Nullable Slab last;

    /** Creates an empty queue. */
    public SlabQueue() {}

    /** Returns whether the queue is empty. */
    public final boolean isEmpty() {
        return first == null;
    }

    /** Returns the oldest slab without removing it; null when the queue is empty. */
    public final @Nullable Slab first() {
        return first;
    }

    /** Returns the newest slab without removing it; null when the queue is empty. */
    public final @Nullable Slab last() {
        return last;
    }

    /** Appends a slab and takes ownership of it. */
    protected final void addLast(Slab slab) {
        if (last == null) {
            first = slab;
        } else {
            last.next(slab);
        }
        last = slab;
    }

    /** Prepends a slab and takes ownership of it. */
    protected final void addFirst(Slab slab) {
        slab.next(first);
        first = slab;
        if (last == null) {
            last = slab;
        }
    }

    /** Removes the oldest slab and gives it to the caller; null when the queue is empty. */
    protected final @Nullable Slab removeFirst() {
        Slab slab = first;
        if (slab != null) {
            first = slab.next();
            slab.next(null);
            if (first == null) {
                last = null;
            }
        }
        return slab;
    }
}
