package dev.sluice.net.peer;

import dev.sluice.memory.Slab;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A view of received bytes, in the loop's buffer that they arrived and were decrypted in.
 *
 * <p>Valid until {@link TlsHandler#onReceived} returns, {@link #take()} is called, or it is written to a peer. Then
 * each method throws an {@link IllegalStateException}. The view belongs to the connection and is reused. Confined to
 * the connection's loop.
 */
public interface ReceivedBytes {
    /** Returns the number of bytes, at least 1. */
    int length();

    /**
     * Returns the byte at an index.
     *
     * @throws IndexOutOfBoundsException unless {@code 0 <= index < length()}
     */
    byte get(int index);

    /**
     * Returns the buffer that holds the bytes, at {@link #offset()}. Allocates nothing. It is in the global scope, so
     * that an access after the view's end is not detected; the bytes are another connection's by then.
     */
    MemorySegment memory();

    /** Returns the offset of the first byte in {@link #memory()}. */
    long offset();

    /** Returns the bytes as a segment of their own, which is allocated; see {@link #memory()} for its validity. */
    MemorySegment segment();

    /**
     * Copies bytes from the start into a buffer, as many as fit, and advances its position.
     *
     * @return the number of copied bytes
     */
    int copyTo(ByteBuffer target);

    /** Returns a copy of the bytes. */
    byte[] toByteArray();

    /**
     * Takes the buffer out of the view, which ends with that.
     *
     * @return a slab whose window is the bytes; the caller releases it, on this loop, or writes it to a peer of this
     *     loop
     */
    Slab take();
}
