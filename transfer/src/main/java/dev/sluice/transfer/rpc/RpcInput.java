package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.IncomingBatch;
import java.lang.foreign.MemorySegment;

/**
 * The payload of one request or response while it is read, in the pieces in which its records were opened. What a
 * handler does not read is skipped.
 *
 * <p>Two ways to read in place: {@link #scatter} with pwritev(2) and {@link #taken}, or directly at {@link #address()},
 * at most {@link #contiguous()} bytes, and {@link #taken}. Valid only while the handler runs, on its thread.
 */
public final class RpcInput {
    private static final int BYTE_MASK = 0xFF;

    private final IncomingBatch batch;
    private final BeforeWait beforeWait;
    private int remaining;

    /** An action before a receive that may block. */
    @FunctionalInterface
    interface BeforeWait {
        void run() throws ChannelException;
    }

    RpcInput(IncomingBatch batch, BeforeWait beforeWait) {
        this.batch = batch;
        this.beforeWait = beforeWait;
    }

    /** Starts a frame or its payload. */
    void begin(int length) {
        remaining = length;
    }

    /** Waits for the next frame; returns false at the end of the stream. */
    boolean awaitFrame() throws ChannelException {
        if (batch.available() == 0) {
            beforeWait.run();
        }
        return batch.await();
    }

    /** Returns the bytes that are yet to be read. */
    public int remaining() {
        return remaining;
    }

    /**
     * Returns the bytes that can be read from {@link #address()} on; receives when there are none.
     *
     * @return 0 only when nothing remains
     */
    public int contiguous() throws ChannelException {
        if (remaining == 0) {
            return 0;
        }
        requireMore();
        return Math.min(remaining, batch.contiguous());
    }

    private void requireMore() throws ChannelException {
        if (!awaitFrame()) {
            throw new ChannelException(
                    ChannelFailure.UNEXPECTED_END, "the peer ended its stream inside a call; update the older side");
        }
    }

    /** Returns the memory to read from. */
    public MemorySegment memory() {
        return batch.slab();
    }

    /** Returns the offset in {@link #memory()} of the next byte. */
    public int offset() {
        return batch.offset();
    }

    /** Returns the native address of the next byte. */
    public long address() {
        return batch.address();
    }

    /**
     * Describes the next pieces as iovecs; receives when there are none.
     *
     * @return the bytes described, 0 only when nothing remains
     */
    public int scatter() throws ChannelException {
        if (remaining == 0) {
            return 0;
        }
        requireMore();
        return batch.scatter(remaining);
    }

    /** Returns the address of the iovecs of the last {@link #scatter}. */
    public long iovecAddress() {
        return batch.iovecAddress();
    }

    /** Returns the number of iovecs of the last {@link #scatter}. */
    public int iovecCount() {
        return batch.iovecCount();
    }

    /**
     * Removes bytes from the front.
     *
     * @throws IndexOutOfBoundsException when they exceed the payload
     */
    public void taken(int bytes) {
        require(bytes);
        batch.taken(bytes);
        remaining -= bytes;
    }

    /** Takes bytes into a segment: a copy. */
    public void get(MemorySegment to, long offset, int length) throws ChannelException {
        require(length);
        int done = 0;
        while (done < length) {
            int now = Math.min(length - done, contiguous());
            MemorySegment.copy(batch.slab(), batch.offset(), to, offset + done, now);
            taken(now);
            done += now;
        }
    }

    /** Takes 32 bits in network byte order. */
    public int getInt() throws ChannelException {
        require(Integer.BYTES);
        if (contiguous() >= Integer.BYTES) {
            remaining -= Integer.BYTES;
            return batch.getInt();
        }
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            contiguous();
            value = (value << Byte.SIZE) | (batch.get() & BYTE_MASK);
            remaining--;
        }
        return value;
    }

    /** Takes 64 bits in network byte order. */
    public long getLong() throws ChannelException {
        long high = getInt() & 0xFFFF_FFFFL;
        return (high << Integer.SIZE) | (getInt() & 0xFFFF_FFFFL);
    }

    /** Skips the rest. */
    void skipRest() throws ChannelException {
        while (remaining > 0) {
            taken(contiguous());
        }
    }

    private void require(int bytes) {
        if (bytes < 0 || bytes > remaining) {
            throw new IndexOutOfBoundsException("bytes=" + bytes + ", remaining=" + remaining);
        }
    }
}
