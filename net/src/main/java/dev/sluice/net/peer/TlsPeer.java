package dev.sluice.net.peer;

import dev.sluice.memory.Slab;
import dev.sluice.net.EventLoop;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The other side of a TLS connection, as a {@link TlsHandler} sees it.
 *
 * <p>Confined to its loop's thread, on which the handler is called. Only {@link #execute}, {@link #close}, {@link
 * #abort}, {@link #loop} and {@link #facts} may be called from others.
 *
 * <p>Back-pressure: what the peer has not taken is queued. Above the high-water mark {@link #isWritable()} is false,
 * and with {@link BackPressure#HOLD_BACK} nothing is received from this peer until half of it has left. A write that
 * would exceed the limit throws a {@link WriteLimitException} and queues nothing.
 */
public interface TlsPeer {
    /** Returns the loop of this connection. From any thread. */
    EventLoop loop();

    /** Returns the result of the handshake. From any thread. */
    ConnectionFacts facts();

    /** Returns our end's address. */
    SocketAddress localAddress();

    /** Returns the peer's address. */
    SocketAddress remoteAddress();

    /** Writes what was received from a peer of the same loop, without a copy: the buffer changes owner. */
    void write(ReceivedBytes bytes);

    /**
     * Writes the window of a leased slab, without a copy.
     *
     * @param buffer the connection's from now on, whatever is thrown
     */
    void write(Slab buffer);

    /** Writes a copy of bytes in a segment. */
    void write(MemorySegment bytes);

    /** Writes a copy of an array. */
    void write(byte[] bytes);

    /** Writes a copy of a buffer's remaining bytes, and advances its position behind them. */
    void write(ByteBuffer bytes);

    /**
     * Leases a slab whose empty window has the room that a record needs in front of it: put at most {@link
     * dev.sluice.net.BufferGeometry#PAYLOAD} bytes behind it, extend the window, and write the slab.
     *
     * @return the caller writes or releases it; null when all buffers of the loop are leased
     */
    @Nullable
    Slab lease();

    /** Returns the number of bytes that are queued and not yet handed to the kernel. */
    long queuedBytes();

    /**
     * Returns false from the high-water mark on until half of it has left, which {@link TlsHandler#onWritable} reports.
     */
    boolean isWritable();

    /** Stops receiving; one buffer may still be delivered. Idempotent. */
    void pause();

    /** Resumes receiving. Idempotent. */
    void resume();

    /** Ends our direction behind what is queued, by close_notify and FIN; receiving continues. */
    void closeOutput();

    /**
     * Closes when what is queued has left, by close_notify and FIN, within the close deadline. From any thread;
     * idempotent. The handler is called for {@link TlsHandler#onClosed} and nothing else from then on.
     */
    void close();

    /** Closes at once, by a reset; what is queued is lost. From any thread; idempotent. */
    void abort();

    /**
     * Runs a task on this connection's loop, soon, unless the loop is closed. From any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed
     */
    void execute(Runnable task);
}
