package dev.sluice.memory;

import org.jspecify.annotations.Nullable;

/**
 * Slabs in a row, first in, first out, linked through themselves: a queue holds nothing besides, and nothing is allocated.
 *
 * <p>Owns the slabs that stand in it; a slab stands in one queue at most. Confined to one thread.
 */
public class SlabQueue {
    private @Nullable Slab first;
    private @Nullable Slab last;

    /** Makes an empty queue. */
    public SlabQueue() {}

    /** Whether there are none. */
    public final boolean isEmpty() {
        return first == null;
    }

    /** The oldest slab, which stays in the queue; null when it is empty. */
    public final @Nullable Slab first() {
        return first;
    }

    /** The youngest slab, which stays in the queue; null when it is empty. */
    public final @Nullable Slab last() {
        return last;
    }

    /** Takes a slab over, behind the others. */
    protected final void addLast(Slab slab) {
        if (last == null) {
            first = slab;
        } else {
            last.next(slab);
        }
        last = slab;
    }

    /** Takes a slab over, before the others. */
    protected final void addFirst(Slab slab) {
        slab.next(first);
        first = slab;
        if (last == null) {
            last = slab;
        }
    }

    /** Takes the oldest slab out: the caller's then; null when there is none. */
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
