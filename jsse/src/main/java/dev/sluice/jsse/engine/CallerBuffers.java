package dev.sluice.jsse.engine;

import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that an application passes: checks, native addresses of direct ones, and copies. Positions move here
 * only.
 */
final class CallerBuffers {
    private CallerBuffers() {}

    /** Checks a range of source buffers as SunJSSE does. */
    static void requireSources(@Nullable ByteBuffer @Nullable [] buffers, int offset, int length) {
        requireRange(buffers, offset, length, "source");
    }

    /** Checks a range of destination buffers as SunJSSE does. */
    static void requireDestinations(@Nullable ByteBuffer @Nullable [] buffers, int offset, int length) {
        requireRange(buffers, offset, length, "destination");
        for (int i = offset; buffers != null && i < offset + length; i++) {
            requireWritable(buffers[i]);
        }
    }

    private static void requireRange(@Nullable ByteBuffer @Nullable [] buffers, int offset, int length, String kind) {
        if (buffers == null) {
            throw new IllegalArgumentException(kind + " buffers are null; pass at least one");
        }
        if (offset < 0 || length < 0 || offset > buffers.length - length) {
            throw new IndexOutOfBoundsException("outside of the " + kind + " buffers: offset=" + offset + ", length="
                    + length + ", buffers=" + buffers.length);
        }
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i] == null) {
                throw new IllegalArgumentException(kind + " buffer[" + i + "] == null");
            }
        }
    }

    /** Checks a single destination buffer. */
    static void requireWritable(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            throw new IllegalArgumentException("destination buffer is null");
        }
        if (buffer.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
    }

    /** Returns the bytes between position and limit of all buffers, at most {@code most}. */
    static int remaining(ByteBuffer[] buffers, int offset, int length, int most) {
        int sum = 0;
        for (int i = offset; i < offset + length && sum < most; i++) {
            sum = Math.min(most, sum + Math.min(most, buffers[i].remaining()));
        }
        return sum;
    }

    /**
     * Returns the native address of a direct buffer's position. The caller keeps the buffer reachable while it uses it.
     *
     * @throws IllegalStateException when its memory has been freed
     */
    static long address(ByteBuffer direct) {
        MemorySegment memory = MemorySegment.ofBuffer(direct);
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("the buffer's memory has been freed with its arena");
        }
        return memory.address();
    }

    /** Returns whether bytes from the positions of two direct buffers on share memory. */
    static boolean overlap(ByteBuffer one, int oneBytes, ByteBuffer other, int otherBytes) {
        long first = address(one);
        long second = address(other);
        return first < second + otherBytes && second < first + oneBytes;
    }

    /**
     * Copies bytes of the buffers into another from an index on, and moves their positions, but not its own. By calls
     * of ByteBuffer, which make no segment: the JIT compiler does not elide one that deep below the caller.
     */
    static void gather(ByteBuffer[] buffers, int offset, int length, ByteBuffer to, int index, int count) {
        int done = 0;
        for (int i = offset; i < offset + length && done < count; i++) {
            ByteBuffer from = buffers[i];
            int part = Math.min(count - done, from.remaining());
            to.put(index + done, from, from.position(), part);
            from.position(from.position() + part);
            done += part;
        }
    }

    /** Copies bytes of the buffers to native memory, and moves their positions. */
    static void gather(ByteBuffer[] buffers, int offset, int length, long to, int count) {
        int done = 0;
        for (int i = offset; i < offset + length && done < count; i++) {
            int part = Math.min(count - done, buffers[i].remaining());
            take(buffers[i], to + done, part);
            done += part;
        }
    }

    /** Copies bytes of one buffer to native memory, and moves its position. */
    static void take(ByteBuffer from, long to, int count) {
        if (count == 0) {
            return;
        }
        if (from.hasArray()) {
            RawMemory.copy(from.array(), from.arrayOffset() + from.position(), to, count);
        } else if (from.isDirect()) {
            try {
                RawMemory.copy(address(from), to, count);
            } finally {
                Reference.reachabilityFence(from);
            }
        } else {
            MemorySegment.copy(MemorySegment.ofBuffer(from), 0, RawMemory.view(to, count), 0, count);
        }
        from.position(from.position() + count);
    }

    /** Copies native bytes to the buffers, which have room for them, and moves their positions. */
    static void scatter(long from, int count, ByteBuffer[] buffers, int offset, int length) {
        int done = 0;
        for (int i = offset; i < offset + length && done < count; i++) {
            int part = Math.min(count - done, buffers[i].remaining());
            put(from + done, part, buffers[i]);
            done += part;
        }
    }

    /** Copies native bytes to one buffer, which has room for them, and moves its position. */
    static void put(long from, int count, ByteBuffer to) {
        if (count == 0) {
            return;
        }
        if (to.hasArray()) {
            RawMemory.copy(from, to.array(), to.arrayOffset() + to.position(), count);
        } else {
            try {
                RawMemory.copy(from, address(to), count);
            } finally {
                Reference.reachabilityFence(to);
            }
        }
        to.position(to.position() + count);
    }
}
