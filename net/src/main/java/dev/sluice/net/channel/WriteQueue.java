package dev.sluice.net.channel;

import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.internal.peer.SlabCopies;
import dev.sluice.net.peer.TlsPeer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The buffers that a writer has lent to the loop until all they hold is copied. Guarded by the lock of its {@link
 * ChannelBridge}.
 */
final class WriteQueue {
    /** The pause after which a loop that has no buffer left is asked again. */
    static final long BUFFER_RETRY_MILLIS = 1;

    private static final ByteBuffer[] NONE = {};

    private ByteBuffer[] lent = NONE;
    private int next;
    private int end;
    private long count;

    /** Lends buffers from now on; a thread-confined one is copied. */
    void lend(ByteBuffer[] sources, int offset, int length) {
        long bytes = 0;
        ByteBuffer[] own = Arrays.copyOfRange(sources, offset, offset + length);
        for (int i = 0; i < own.length; i++) {
            ByteBuffer source = own[i];
            bytes += source.remaining();
            if (LentBuffers.isConfined(source)) {
                own[i] = ByteBuffer.allocate(source.remaining()).put(source).flip();
            }
        }
        lent = own;
        next = 0;
        end = own.length;
        count = bytes;
        skipEmpty();
    }

    /** Returns true while bytes are left to copy. */
    boolean isPending() {
        return next < end;
    }

    /** Returns the number of bytes that the last writer has lent. */
    long count() {
        return count;
    }

    /** Gives the buffers back, copied or not. */
    void clear() {
        lent = NONE;
        next = 0;
        end = 0;
    }

    /**
     * Copies into buffers of the loop, a full record each, as long as the peer is writable, and writes them. On the
     * loop.
     *
     * @return false when the loop had no buffer left
     */
    boolean drainTo(TlsPeer peer) {
        while (isPending() && peer.isWritable()) {
            Slab buffer = peer.lease();
            if (buffer == null) {
                return false;
            }
            fill(buffer);
            peer.write(buffer);
        }
        if (!isPending()) {
            clear();
        }
        return true;
    }

    private void fill(Slab buffer) {
        while (isPending() && buffer.length() < BufferGeometry.PAYLOAD) {
            ByteBuffer source = lent[next];
            SlabCopies.in(source, buffer, Math.min(source.remaining(), BufferGeometry.PAYLOAD - buffer.length()));
            skipEmpty();
        }
    }

    private void skipEmpty() {
        while (next < end && !lent[next].hasRemaining()) {
            next++;
        }
    }

    /** A test of whether another thread may use a buffer. */
    static final class LentBuffers {
        private static final Thread ANOTHER = Thread.ofVirtual().unstarted(() -> {});

        private LentBuffers() {}

        /** Returns true for a buffer over a confined arena, which only its owner's thread may use. */
        static boolean isConfined(ByteBuffer buffer) {
            return buffer.isDirect() && !MemorySegment.ofBuffer(buffer).isAccessibleBy(ANOTHER);
        }
    }
}
