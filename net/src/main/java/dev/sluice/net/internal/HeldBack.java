package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabQueue;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a multishot receive brought one endpoint unasked: buffers, and behind them perhaps the end of the
 * stream. See {@link MultishotReceives}.
 */
final class HeldBack extends SlabQueue {
    private static final int NONE = Integer.MIN_VALUE;

    private int end = NONE;

    /** True while the endpoint stands in the queue of those that are to be given something. */
    boolean isDue;

    /** Takes a buffer over. */
    void add(Slab buffer) {
        addLast(buffer);
    }

    /** Notes how the stream ended: 0 or -errno. */
    void end(int result) {
        end = result;
    }

    /** Returns true when nothing is held. */
    boolean holdsNothing() {
        return isEmpty() && end == NONE;
    }

    /** Takes out the oldest buffer, the caller's now; null when only the end is left. */
    @Nullable
    Slab take() {
        return removeFirst();
    }

    /** Returns 0 or -errno, as the stream ended; meaningless while it has not. */
    int end() {
        return end;
    }

    /** Returns true when the stream ended with an error. */
    boolean isBroken() {
        return end != NONE && end < 0;
    }

    /** Returns how the stream ended, and forgets it. */
    int takeEnd() {
        int result = end;
        end = NONE;
        return result;
    }
}
