package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.OutgoingBatch;
import dev.sluice.transfer.channel.SecureChannel;
import java.lang.foreign.MemorySegment;

/**
 * The payload of one request or response while it is written, of a length that was given before. It is written into
 * the records of the channel: full batches leave meanwhile, so it may be of any size.
 *
 * <p>Two ways to write in place: {@link #gather} with preadv(2) and {@link #filled}, or directly at {@link #address()},
 * at most {@link #contiguousRoom()} bytes, and {@link #filled}. Confined to the thread that has begun the call.
 */
public final class RpcOutput {
    private final SecureChannel channel;
    private final OutgoingBatch batch;
    private int remaining;

    RpcOutput(SecureChannel channel) {
        this.channel = channel;
        this.batch = channel.outgoing();
    }

    /** Starts a payload. */
    void begin(int length) {
        remaining = length;
    }

    /** Returns the bytes that are yet to be written. */
    public int remaining() {
        return remaining;
    }

    /**
     * Returns the bytes that may be written from {@link #address()} on; sends a full batch first.
     *
     * @return 0 only when nothing remains
     */
    public int contiguousRoom() throws ChannelException {
        requireRoom(1);
        return Math.min(remaining, batch.contiguousRoom());
    }

    /** Returns the memory to write into. */
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
     * Describes the next areas as iovecs; sends a full batch first.
     *
     * @return the bytes described
     */
    public int gather() throws ChannelException {
        requireRoom(1);
        return batch.gather(remaining);
    }

    /** Returns the address of the iovecs of the last {@link #gather}. */
    public long iovecAddress() {
        return batch.iovecAddress();
    }

    /** Returns the number of iovecs of the last {@link #gather}. */
    public int iovecCount() {
        return batch.iovecCount();
    }

    /**
     * Accounts for bytes written in place.
     *
     * @throws IndexOutOfBoundsException when they exceed the payload
     */
    public void filled(int bytes) {
        require(bytes);
        batch.filled(bytes);
        remaining -= bytes;
    }

    /** Appends bytes of a segment: a copy. */
    public void put(MemorySegment from, long offset, int length) throws ChannelException {
        require(length);
        int done = 0;
        while (done < length) {
            int now = Math.min(length - done, contiguousRoom());
            batch.put(from, offset + done, now);
            remaining -= now;
            done += now;
        }
    }

    /** Appends 32 bits in network byte order. */
    public void putInt(int value) throws ChannelException {
        require(Integer.BYTES);
        requireRoom(Integer.BYTES);
        batch.putInt(value);
        remaining -= Integer.BYTES;
    }

    /** Appends 64 bits in network byte order. */
    public void putLong(long value) throws ChannelException {
        require(Long.BYTES);
        requireRoom(Long.BYTES);
        batch.putLong(value);
        remaining -= Long.BYTES;
    }

    /** Sends the batch unless it has room for so many bytes. */
    void requireRoom(int bytes) throws ChannelException {
        if (batch.room() < bytes) {
            channel.send();
        }
    }

    private void require(int bytes) {
        if (bytes < 0 || bytes > remaining) {
            throw new IndexOutOfBoundsException("bytes=" + bytes + ", remaining=" + remaining);
        }
    }
}
