package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabQueue;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.LoopStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Slabs that wait to be sent, with their bytes counted.
 *
 * <p>A small payload is copied behind the last one where there is room, so that a peer which sends single bytes cannot
 * make us hold a whole slab for each.
 */
final class SendQueue extends SlabQueue {
    /** Payloads up to this size are copied together. */
    static final int COALESCE_BYTES = 1024;

    /** An int, since all buffers of a loop together have less than 2^31 bytes. */
    private int bytes;

    /** Returns the number of bytes that wait. */
    long bytes() {
        return bytes;
    }

    /**
     * Takes a slab over.
     *
     * @param headInKernel whether the head's window was handed to the kernel and must not change
     * @param statistics told of what is copied
     */
    void add(Slab slab, boolean headInKernel, LoopStatistics statistics) {
        int length = slab.length();
        bytes += length;
        if (length == 0 || coalesced(slab, length, headInKernel, statistics)) {
            slab.release();
        } else {
            addLast(slab);
        }
    }

    /** Returns the oldest slab, which stays in the queue. */
    Slab head() {
        return present(first());
    }

    /** Takes bytes off the head, as after a send, and releases it when it is used up. */
    void consume(int sent) {
        Slab slab = head();
        slab.consume(sent);
        bytes -= sent;
        if (slab.length() == 0) {
            takeHead().release();
        }
    }

    /** Takes the oldest slab out of the queue: the caller's then. */
    Slab takeHead() {
        Slab slab = present(removeFirst());
        bytes -= slab.length();
        return slab;
    }

    /** Makes a slab that was taken out the oldest one again. */
    void putBack(Slab slab) {
        addFirst(slab);
        bytes += slab.length();
    }

    /** Releases everything. */
    void clear() {
        while (!isEmpty()) {
            takeHead().release();
        }
    }

    private boolean coalesced(Slab slab, int length, boolean headInKernel, LoopStatistics statistics) {
        Slab last = last();
        if (length > COALESCE_BYTES || last == null || (last == first() && headInKernel)) {
            return false;
        }
        if (last.end() + length > last.capacity() - BufferGeometry.TAILROOM) {
            return false;
        }
        Copies.copy(statistics, slab.payloadAddress(), last.address() + last.end(), length);
        last.window(last.start(), last.end() + length);
        return true;
    }

    private static Slab present(@Nullable Slab slab) {
        if (slab == null) {
            throw new IllegalStateException("the send queue is empty");
        }
        return slab;
    }
}
