package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the buffer that is being delivered, the handler or somebody else, so that it does not leak when the
 * handler throws. One per loop: deliveries do not nest.
 */
final class Custody {
    private @Nullable Slab delivered;

    /** Notes that a handler is about to be given a buffer. */
    void delivering(Slab buffer) {
        delivered = buffer;
    }

    /** Notes that a buffer was given to a connection to send. */
    void sent(Slab buffer) {
        if (buffer == delivered) {
            delivered = null;
        }
    }

    /** Releases the buffer of a handler that threw, unless it was sent or released. */
    void takeBack() {
        Slab buffer = delivered;
        delivered = null;
        if (buffer != null && buffer.isLeased()) {
            buffer.release();
        }
    }
}
