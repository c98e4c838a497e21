package dev.sluice.net.channel;

import dev.sluice.memory.Slab;
import dev.sluice.net.internal.peer.SlabCopies;
import dev.sluice.net.peer.ReceivedBytes;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Received bytes that wait for a reader, in buffers of the loop. Guarded by the lock of its {@link ChannelBridge}: the
 * loop adds and releases, a reader copies out of the oldest.
 */
final class ReceivedQueue {
    /** The bytes from which on receiving pauses: four full records. */
    static final int PAUSE_BYTES = 64 * 1024;

    /** The bytes up to which receiving resumes. */
    static final int RESUME_BYTES = PAUSE_BYTES / 4;

    private final ArrayDeque<Slab> unread = new ArrayDeque<>(2);
    private final ArrayDeque<Slab> read = new ArrayDeque<>(2);
    private int bytes;

    /** The bytes that were left when the connection closed, on the heap; null before. */
    private @Nullable ByteBuffer left;

    /** Returns the number of bytes that can be read. */
    int bytes() {
        return bytes;
    }

    /** Returns true when buffers wait for their release. */
    boolean hasRead() {
        return !read.isEmpty();
    }

    // --- on the loop ------------------------------------------------------------------------------------------------

    /** Copies as much as fits to a reader that waits, while nothing is queued, and adds the rest. */
    void deliver(ReceivedBytes received, ByteBuffer reader) {
        int copied = received.copyTo(reader);
        if (copied < received.length()) {
            Slab rest = received.take();
            rest.consume(copied);
            append(rest);
        }
    }

    /** Adds bytes: behind those of the newest buffer where it has room, so that small records do not hold one each. */
    void add(ReceivedBytes received) {
        Slab newest = unread.peekLast();
        if (newest != null && newest.capacity() - newest.end() >= received.length()) {
            int count = received.length();
            newest.segment()
                    .asSlice(newest.end(), count)
                    .copyFrom(received.memory().asSlice(received.offset(), count));
            newest.window(newest.start(), newest.end() + count);
            bytes += count;
        } else {
            append(received.take());
        }
    }

    private void append(Slab buffer) {
        unread.add(buffer);
        bytes += buffer.length();
    }

    /** Releases the buffers that were read. */
    void releaseRead() {
        release(read);
    }

    /** Releases all buffers, and keeps what was not read on the heap: the loop's memory is about to end. */
    void detach() {
        if (bytes > 0 && left == null) {
            ByteBuffer kept = ByteBuffer.allocate(bytes);
            unread.forEach(buffer -> SlabCopies.out(buffer, kept, buffer.length()));
            left = kept.flip();
        }
        release(unread);
        releaseRead();
    }

    /** Releases all buffers, and drops what was not read. */
    void discard() {
        release(unread);
        releaseRead();
        left = null;
        bytes = 0;
    }

    private static void release(ArrayDeque<Slab> buffers) {
        for (Slab buffer = buffers.poll(); buffer != null; buffer = buffers.poll()) {
            buffer.release();
        }
    }

    // --- on a reader's thread ---------------------------------------------------------------------------------------

    /** Copies as much as fits into a reader's buffer, and advances it. */
    int readInto(ByteBuffer target) {
        int before = bytes;
        for (Slab oldest = unread.peek(); oldest != null && target.hasRemaining(); oldest = unread.peek()) {
            int count = Math.min(oldest.length(), target.remaining());
            SlabCopies.out(oldest, target, count);
            oldest.consume(count);
            bytes -= count;
            if (oldest.length() == 0) {
                read.add(unread.remove());
            }
        }
        if (left != null && target.hasRemaining()) {
            readLeft(left, target);
        }
        return before - bytes;
    }

    private void readLeft(ByteBuffer from, ByteBuffer target) {
        int count = Math.min(from.remaining(), target.remaining());
        target.put(target.position(), from, from.position(), count);
        target.position(target.position() + count);
        from.position(from.position() + count);
        bytes -= count;
    }
}
