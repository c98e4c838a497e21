package dev.sluice.transfer.files;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.OutgoingBatch;
import dev.sluice.transfer.channel.SecureChannel;
import java.lang.foreign.MemorySegment;

/** The requests or answers to be sent, field by field, in the channel's batch. Confined to one thread. */
public final class FrameWriter {
    /** The most bytes of one frame, with its length. */
    private static final int MAX_FRAME_BYTES =
            Integer.BYTES + FileProtocol.MAX_DATA_BYTES + FileProtocol.MAX_HEAD_BYTES;

    private final SecureChannel channel;
    private final OutgoingBatch out;
    private int start;

    /** Creates a writer of a channel's plaintext. */
    public FrameWriter(SecureChannel channel) {
        this.channel = channel;
        this.out = channel.outgoing();
    }

    /** Sends what is here, unless the largest frame still fits. */
    public void makeRoom() throws ChannelException {
        if (out.room() < MAX_FRAME_BYTES || out.position() >= FileProtocol.EAGER_BYTES) {
            channel.send();
        }
    }

    /** Sends what is here; returns false when there is nothing. */
    public boolean flush() throws ChannelException {
        if (out.position() == 0) {
            return false;
        }
        channel.send();
        return true;
    }

    /** Begins a request; it has to fit. */
    public void begin(FileOperation operation) {
        begin();
        out.put(operation.code());
    }

    /** Begins an answer; it has to fit. */
    public void begin(int errno) {
        begin();
        out.putInt(errno);
    }

    private void begin() {
        start = out.position();
        out.putInt(0);
    }

    /** Ends the frame. */
    public void end() {
        out.setInt(start, out.position() - start - Integer.BYTES);
    }

    /** Returns the bytes since {@link #begin(int)}. */
    public int length() {
        return out.position() - start;
    }

    /** Returns whether a frame with some more bytes fits. */
    public boolean hasRoom(int bytes) {
        return out.room() >= bytes;
    }

    /** Replaces the errno of the answer that was begun. */
    public void errno(int errno) {
        out.setInt(start + Integer.BYTES, errno);
    }

    /** Appends one byte. */
    public void put(int value) {
        out.put((byte) value);
    }

    /** Appends 32 bits. */
    public void putInt(int value) {
        out.putInt(value);
    }

    /** Appends 64 bits. */
    public void putLong(long value) {
        out.putLong(value);
    }

    /** Appends bytes behind a 16-bit length. */
    public void putBytes(byte[] bytes) {
        out.putShort(bytes.length);
        out.put(bytes, 0, bytes.length);
    }

    /** Appends bytes. */
    public void putData(MemorySegment from, long offset, int length) {
        out.put(from, offset, length);
    }

    /** Describes room for data as iovecs; {@link #filled} follows. */
    public void gather(int bytes) {
        out.gather(bytes);
    }

    /** Returns the address of the iovecs. */
    public long iovecAddress() {
        return out.iovecAddress();
    }

    /** Returns the number of iovecs. */
    public int iovecCount() {
        return out.iovecCount();
    }

    /** Appends bytes that were written through the iovecs. */
    public void filled(int bytes) {
        out.filled(bytes);
    }
}
