package dev.sluice.transfer.files;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.IncomingBatch;
import java.lang.foreign.MemorySegment;

/** The received requests or answers, field by field. No field reaches beyond its frame. Confined to one thread. */
public final class FrameReader {
    private static final byte[] NOTHING = new byte[0];

    private final IncomingBatch in;
    private int left;

    /** Creates a reader of a channel's plaintext. */
    public FrameReader(IncomingBatch in) {
        this.in = in;
    }

    /**
     * Waits for a frame and takes its length.
     *
     * @return false at the authenticated end of the stream
     * @throws ChannelException when it is longer than the protocol permits
     */
    public boolean next() throws ChannelException {
        if (left != 0) {
            throw protocol("frame with " + left + " bytes too many; update the older side");
        }
        if (!in.await()) {
            return false;
        }
        int length = in.getInt();
        if (length < 1 || length > FileProtocol.MAX_DATA_BYTES + FileProtocol.MAX_HEAD_BYTES) {
            throw protocol("frame of " + length + " bytes; the peer speaks another protocol");
        }
        left = length;
        return true;
    }

    /** Returns whether another frame has begun to arrive. */
    public boolean hasMore() {
        return in.available() > 0;
    }

    /** Returns the bytes of the frame not yet taken. */
    public int left() {
        return left;
    }

    /** Takes one byte. */
    public byte get() throws ChannelException {
        take(Byte.BYTES);
        return in.get();
    }

    /** Takes 32 bits. */
    public int getInt() throws ChannelException {
        take(Integer.BYTES);
        return in.getInt();
    }

    /** Takes 64 bits. */
    public long getLong() throws ChannelException {
        take(Long.BYTES);
        return in.getLong();
    }

    /** Takes bytes behind a 16-bit length: a path, or the like. */
    public byte[] getBytes() throws ChannelException {
        take(Short.BYTES);
        int length = in.getShort() & 0xffff;
        take(length);
        if (length == 0) {
            return NOTHING;
        }
        byte[] bytes = new byte[length];
        in.get(bytes, 0, length);
        return bytes;
    }

    /** Takes bytes of the frame into native memory. */
    public void getData(MemorySegment to, long offset, int length) throws ChannelException {
        take(length);
        in.get(to, offset, length);
    }

    /** Takes bytes of the frame into an array. */
    public void getData(byte[] to, int length) throws ChannelException {
        take(length);
        in.get(to, 0, length);
    }

    /**
     * Describes the next bytes of the frame as iovecs, at least one byte, and waits for it; {@link #taken} follows.
     *
     * @return the bytes described
     */
    public int scatter() throws ChannelException {
        if (!in.await()) {
            throw protocol("stream ended inside a frame; the peer has stopped");
        }
        return in.scatter(left);
    }

    /** Returns the address of the iovecs. */
    public long iovecAddress() {
        return in.iovecAddress();
    }

    /** Returns the number of iovecs. */
    public int iovecCount() {
        return in.iovecCount();
    }

    /** Removes bytes that were taken through the iovecs. */
    public void taken(int bytes) throws ChannelException {
        take(bytes);
        in.taken(bytes);
    }

    /** Removes the rest of the frame. */
    public void skip() throws ChannelException {
        in.skip(left);
        left = 0;
    }

    private static ChannelException protocol(String message) {
        return new ChannelException(ChannelFailure.PROTOCOL, message);
    }

    private void take(int bytes) throws ChannelException {
        if (bytes > left) {
            throw protocol("frame ends inside a field; update the older side");
        }
        left -= bytes;
    }
}
