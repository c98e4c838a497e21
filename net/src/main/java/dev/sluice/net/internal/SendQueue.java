package dev.sluice.net.internal;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slabs that wait to be sent, with their bytes counted. Owns them; holds nothing while empty.
 *
 * <p>A small payload is copied behind the last one where there is room, so that a peer which sends single bytes cannot
 * make us hold a whole slab for each.
 */
final class SendQueue {
    /** Payloads up to this size are copied together. */
    static final int COALESCE_BYTES = 1024;

    private static final int FIRST_CAPACITY = 4;
    private static final @Nullable Slab[] NOTHING = {};

    private @Nullable Slab[] ring = NOTHING;
    private int head;
    private int count;
    private long bytes;

    /** Bytes that wait. */
    long bytes() {
        return bytes;
    }

    /** Slabs that wait. */
    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Takes a slab over.
     *
     * @param headInKernel whether the head's window was handed to the kernel and must not change
     */
    void add(Slab slab, boolean headInKernel) {
        int length = slab.length();
        bytes += length;
        if (length == 0 || coalesced(slab, length, headInKernel)) {
            slab.release();
            return;
        }
        if (count == ring.length) {
            grow();
        }
        ring[(head + count++) & (ring.length - 1)] = slab;
    }

    /** The oldest slab, which stays in the queue. */
    Slab head() {
        Slab slab = count == 0 ? null : ring[head];
        if (slab == null) {
            throw new IllegalStateException("the send queue is empty");
        }
        return slab;
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
        Slab slab = head();
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        count--;
        bytes -= slab.length();
        return slab;
    }

    /** Makes a slab that was taken out the oldest one again. */
    void putBack(Slab slab) {
        head = (head - 1) & (ring.length - 1);
        ring[head] = slab;
        count++;
        bytes += slab.length();
    }

    /** Releases everything. */
    void clear() {
        while (count > 0) {
            consume(head().length());
        }
        ring = NOTHING;
        head = 0;
    }

    private boolean coalesced(Slab slab, int length, boolean headInKernel) {
        if (length > COALESCE_BYTES || count == 0 || (count == 1 && headInKernel)) {
            return false;
        }
        Slab last = ring[(head + count - 1) & (ring.length - 1)];
        if (last == null || last.end() + length > last.capacity() - BufferGeometry.TAILROOM) {
            return false;
        }
        RawMemory.copy(slab.payloadAddress(), last.address() + last.end(), length);
        last.window(last.start(), last.end() + length);
        return true;
    }

    private void grow() {
        if (ring.length == 0) {
            ring = new Slab[FIRST_CAPACITY];
            return;
        }
        @Nullable Slab[] larger = Arrays.copyOfRange(ring, head, head + ring.length * 2);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        ring = larger;
        head = 0;
    }
}
