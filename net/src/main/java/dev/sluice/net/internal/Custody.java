package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import org.jspecify.annotations.Nullable;

/**
 * Remembers whether the buffer that is being delivered still belongs to the handler, so that it does not leak when the
 * handler throws. One per loop: deliveries do not nest.
 */
final class Custody {
    private @Nullable Slab delivered;

    /** A handler is about to be given a buffer. */
    void delivering(Slab buffer) {
        delivered = buffer;
    }

    /** A buffer was given to a connection to send. */
    void sent(Slab buffer) {
        if (buffer == delivered) {
            delivered = null;
        }
    }

    /** The handler threw: releases the buffer unless it was sent or released. */
    void takeBack() {
        Slab buffer = delivered;
        delivered = null;
        if (buffer != null && buffer.isLeased()) {
            buffer.release();
        }
    }
}
