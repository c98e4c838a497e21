package dev.sluice.net.internal.peer;

import dev.sluice.memory.Slab;
import dev.sluice.net.peer.ReceivedBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The view of a connection's deliveries, which reuses one object: a delivery allocates nothing. */
final class DeliveredBytes implements ReceivedBytes {
    /** The delivered slab; null outside of a delivery, and when its owner has changed. */
    private @Nullable Slab slab;

    /** Starts a delivery, which owns the slab until it is taken. */
    void begin(Slab delivered) {
        slab = delivered;
    }

    /** Ends the delivery, and releases a slab that was not taken. */
    void end() {
        Slab left = slab;
        if (left != null) {
            slab = null;
            left.release();
        }
    }

    @Override
    public int length() {
        return valid().length();
    }

    @Override
    public byte get(int index) {
        Slab from = valid();
        return from.segment().get(ValueLayout.JAVA_BYTE, from.start() + Objects.checkIndex(index, from.length()));
    }

    @Override
    public MemorySegment memory() {
        return valid().segment();
    }

    @Override
    public long offset() {
        return valid().start();
    }

    @Override
    public MemorySegment segment() {
        Slab from = valid();
        return from.segment().asSlice(from.start(), from.length());
    }

    @Override
    public int copyTo(ByteBuffer target) {
        Slab from = valid();
        int count = Math.min(from.length(), target.remaining());
        SlabCopies.out(from, target, count);
        return count;
    }

    @Override
    public byte[] toByteArray() {
        return segment().toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public Slab take() {
        Slab taken = valid();
        slab = null;
        return taken;
    }

    private Slab valid() {
        Slab valid = slab;
        if (valid == null) {
            throw new IllegalStateException("received bytes used after their end: onReceived has returned, or they"
                    + " were taken or written; copy them, or take their buffer, within the call");
        }
        return valid;
    }

    @Override
    public String toString() {
        Slab now = slab;
        return now == null ? "received bytes, ended" : now.length() + " received bytes";
    }
}
