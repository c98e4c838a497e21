package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabQueue;
import org.jspecify.annotations.Nullable;

/**
 * What a steady receive brought one endpoint that nobody has asked for yet: buffers, and behind them perhaps the end of
 * the stream. See {@link SteadyReceives}.
 */
final class HeldBack extends SlabQueue {
    private static final int NONE = Integer.MIN_VALUE;

    private int end = NONE;

    /** Whether the endpoint stands in the queue of those that are to be given something. */
    boolean isDue;

    /** Takes a buffer over. */
    void add(Slab buffer) {
        addLast(buffer);
    }

    /** Notes how the stream ended: 0 or -errno. */
    void end(int result) {
        end = result;
    }

    /** Whether nothing is held. */
    boolean holdsNothing() {
        return isEmpty() && end == NONE;
    }

    /** The oldest buffer, the caller's now; null when only the end is left. */
    @Nullable
    Slab take() {
        return removeFirst();
    }

    /** Returns 0 or -errno, as the stream ended; meaningless while it has not. */
    int end() {
        return end;
    }

    /** True when the stream ended with an error. */
    boolean isBroken() {
        return end != NONE && end < 0;
    }

    /** How the stream ended, forgotten with this. */
    int takeEnd() {
        int result = end;
        end = NONE;
        return result;
    }
}
