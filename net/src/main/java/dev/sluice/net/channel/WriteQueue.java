package dev.sluice.net.channel;

import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.internal.peer.SlabCopies;
import dev.sluice.net.peer.TlsPeer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes that a writer has given to the loop: a copy of few, or its own buffers, lent until all they hold is copied.
 * Guarded by the lock of its {@link ChannelBridge}.
 */
final class WriteQueue {
    /** The most bytes that are copied at once, so that their writer need not wait for the loop. */
    static final int COPIED_BYTES = 4096;

    /** The pause after which a loop that has no buffer left is asked again. */
    static final long BUFFER_RETRY_MILLIS = 1;

    private static final ByteBuffer[] NONE = {};

    /** The owners of the memory that the loop reads. */
    private enum Memory {
        /** The queue's: the writer has gone on. */
        COPY,
        /** The writer's, who waits. */
        LENT
    }

    private Memory memory = Memory.COPY;
    private ByteBuffer[] sources = NONE;
    private int next;
    private int end;
    private long count;

    /** Takes the bytes of a writer: as a copy up to {@link #COPIED_BYTES}, else by lending its buffers. */
    void add(ByteBuffer[] buffers, int offset, int length) {
        long bytes = 0;
        for (int i = offset; i < offset + length; i++) {
            bytes += buffers[i].remaining();
        }
        if (bytes <= COPIED_BYTES) {
            memory = Memory.COPY;
            sources = new ByteBuffer[] {copy(buffers, offset, length, (int) bytes)};
        } else {
            memory = Memory.LENT;
            sources = Arrays.copyOfRange(buffers, offset, offset + length);
            copyConfined(sources);
        }
        next = 0;
        end = sources.length;
        count = bytes;
        skipEmpty();
    }

    private static ByteBuffer copy(ByteBuffer[] buffers, int offset, int length, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        for (int i = offset; i < offset + length; i++) {
            copy.put(buffers[i]);
        }
        return copy.flip();
    }

    private static void copyConfined(ByteBuffer[] buffers) {
        for (int i = 0; i < buffers.length; i++) {
            if (LentBuffers.isConfined(buffers[i])) {
                buffers[i] = copy(buffers, i, 1, buffers[i].remaining());
            }
        }
    }

    /** Returns true while bytes are left to hand over. */
    boolean isPending() {
        return next < end;
    }

    /** Returns true while bytes of a copy are left to hand over: nobody waits for them. */
    boolean isCopyPending() {
        return isPending() && memory == Memory.COPY;
    }

    /** Returns the number of bytes of the last write. */
    long count() {
        return count;
    }

    /** Gives the buffers back, copied or not. */
    void clear() {
        sources = NONE;
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
            if (!writeRecord(peer)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Writes the rest of a copy, above the high-water mark, too: no event follows that would continue it. On the loop.
     *
     * @return false when the loop had no buffer left
     */
    boolean drainCopyTo(TlsPeer peer) {
        while (isCopyPending()) {
            if (!writeRecord(peer)) {
                return false;
            }
        }
        return true;
    }

    private boolean writeRecord(TlsPeer peer) {
        Slab buffer = peer.lease();
        if (buffer == null) {
            return false;
        }
        fill(buffer);
        if (!isPending()) {
            clear();
        }
        peer.write(buffer);
        return true;
    }

    private void fill(Slab buffer) {
        while (isPending() && buffer.length() < BufferGeometry.PAYLOAD) {
            ByteBuffer source = sources[next];
            SlabCopies.in(source, buffer, Math.min(source.remaining(), BufferGeometry.PAYLOAD - buffer.length()));
            skipEmpty();
        }
    }

    private void skipEmpty() {
        while (next < end && !sources[next].hasRemaining()) {
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
