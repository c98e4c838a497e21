package dev.sluice.net.internal.peer;

import dev.sluice.memory.Slab;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Copies between slabs and the buffers of programs. */
public final class SlabCopies {
    private SlabCopies() {}

    /** Copies the first bytes of a slab's window into a buffer, and advances its position. The slab stays as it is. */
    public static void out(Slab from, ByteBuffer to, int count) {
        MemorySegment.ofBuffer(to).asSlice(0, count).copyFrom(from.segment().asSlice(from.start(), count));
        to.position(to.position() + count);
    }

    /** Appends bytes of a buffer to a slab's window, and advances the buffer's position. */
    public static void in(ByteBuffer from, Slab to, int count) {
        to.segment()
                .asSlice(to.end(), count)
                .copyFrom(MemorySegment.ofBuffer(from).asSlice(0, count));
        from.position(from.position() + count);
        to.window(to.start(), to.end() + count);
    }
}
