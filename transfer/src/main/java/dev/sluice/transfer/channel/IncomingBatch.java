package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.record.RecordProtector;
import java.lang.foreign.MemorySegment;

/**
 * The plaintext of the records of one receive, opened in place: a stream of bytes in pieces, one per record.
 *
 * <pre>
 *   slab   | header | piece | type, tag | header | piece | type, tag | header | part of a re...
 *                     ^ read from here                                 ^ opened when the rest has arrived
 * </pre>
 *
 * <p>Three ways to read, of which the first two move only what {@link #available()} counts:
 *
 * <ul>
 *   <li>{@link #scatter}, then pwritev(2) from {@link #iovecAddress()}, then {@link #taken} with its result;
 *   <li>directly from {@link #slab()} from {@link #offset()} on, at most {@link #contiguous()} bytes, then {@link
 *       #taken};
 *   <li>the {@code get} methods, for small values in network byte order: they receive when they need more bytes.
 * </ul>
 *
 * <p>Owned by its channel, and confined to the thread that receives.
 */
public final class IncomingBatch {
    /** The most records opened by one receive. */
    static final int MAX_PIECES = Iovecs.MAX_COUNT;

    private static final int MAX_RECORD_BYTES = RecordProtector.HEADER_BYTES + RecordProtector.MAX_CIPHERTEXT_BYTES;

    private final MemorySegment slab;
    private final Iovecs iovecs;
    private final int[] offsets = new int[MAX_PIECES];
    private final int[] lengths = new int[MAX_PIECES];
    private final Receiver receiver;
    private int pieces;
    private int piece;
    private int available;

    /** The source of records. */
    interface Receiver {
        /**
         * Receives and opens records into an empty batch; blocks until there is plaintext.
         *
         * @return false at the authenticated end of the stream
         */
        boolean receive() throws ChannelException;
    }

    /**
     * Creates an empty batch.
     *
     * @param records the most full records of one receive
     */
    IncomingBatch(Owned owned, int records, Receiver receiver) {
        this.slab = owned.allocate((long) (records + 1) * MAX_RECORD_BYTES);
        this.iovecs = new Iovecs(owned, MAX_PIECES);
        this.receiver = receiver;
    }

    /** Returns the bytes of plaintext that are here, not yet taken. */
    public int available() {
        return available;
    }

    /** Returns the memory of the batch, valid until the channel closes. */
    public MemorySegment slab() {
        return slab;
    }

    /** Returns the offset in {@link #slab()} of the next byte of plaintext. */
    public int offset() {
        return available == 0 ? 0 : offsets[piece];
    }

    /** Returns the native address of the next byte of plaintext. */
    public long address() {
        return slab.address() + offset();
    }

    /** Returns the bytes of plaintext from {@link #offset()} on in one piece. */
    public int contiguous() {
        return available == 0 ? 0 : lengths[piece];
    }

    /**
     * Makes plaintext available: receives if there is none, and then blocks until a record has arrived.
     *
     * @return false at the authenticated end of the stream
     * @throws ChannelException when the channel fails, including truncation and a peer that is silent for too long
     */
    public boolean await() throws ChannelException {
        return available > 0 || receiver.receive();
    }

    // ---- iovecs

    /**
     * Describes the next plaintext as iovecs.
     *
     * @param bytes at most this many
     * @return the bytes described: the smaller one of {@code bytes} and {@link #available()}
     */
    public int scatter(int bytes) {
        int wanted = Math.min(bytes, available);
        iovecs.clear();
        for (int i = piece; iovecs.bytes() < wanted; i++) {
            iovecs.add(slab.address() + offsets[i], Math.min(lengths[i], wanted - iovecs.bytes()));
        }
        return wanted;
    }

    /** Returns the address of the iovecs of the last {@link #scatter}. */
    public long iovecAddress() {
        return iovecs.address();
    }

    /** Returns the number of iovecs of the last {@link #scatter}. */
    public int iovecCount() {
        return iovecs.count();
    }

    /**
     * Removes plaintext from the front.
     *
     * @param bytes 0 to {@link #available()}
     */
    public void taken(int bytes) {
        if (bytes < 0 || bytes > available) {
            throw new IndexOutOfBoundsException("taken=" + bytes + ", available=" + available);
        }
        available -= bytes;
        int left = bytes;
        while (left > 0) {
            int now = Math.min(left, lengths[piece]);
            offsets[piece] += now;
            lengths[piece] -= now;
            left -= now;
            if (lengths[piece] == 0) {
                piece++;
            }
        }
    }

    // ---- small values

    /** Returns the next byte without taking it; waits for it. */
    public byte peek() throws ChannelException {
        requireMore();
        return RawMemory.getByte(address());
    }

    /** Takes one byte. */
    public byte get() throws ChannelException {
        requireMore();
        byte value = RawMemory.getByte(address());
        taken(Byte.BYTES);
        return value;
    }

    /** Takes 16 bits. */
    public short getShort() throws ChannelException {
        int high = get() & 0xFF;
        return (short) ((high << Byte.SIZE) | (get() & 0xFF));
    }

    /** Takes 32 bits. */
    public int getInt() throws ChannelException {
        if (contiguous() >= Integer.BYTES) {
            int value = Integer.reverseBytes(RawMemory.getInt(address()));
            taken(Integer.BYTES);
            return value;
        }
        int high = getShort() & 0xFFFF;
        return (high << Short.SIZE) | (getShort() & 0xFFFF);
    }

    /** Takes 64 bits. */
    public long getLong() throws ChannelException {
        long high = getInt() & 0xFFFF_FFFFL;
        return (high << Integer.SIZE) | (getInt() & 0xFFFF_FFFFL);
    }

    /** Takes bytes into an array. */
    public void get(byte[] to, int index, int length) throws ChannelException {
        get(MemorySegment.ofArray(to), index, length);
    }

    /** Takes bytes into a segment: a copy. */
    public void get(MemorySegment to, long offset, int length) throws ChannelException {
        int done = 0;
        while (done < length) {
            requireMore();
            int now = Math.min(length - done, contiguous());
            MemorySegment.copy(slab, offset(), to, offset + done, now);
            taken(now);
            done += now;
        }
    }

    /** Takes bytes and ignores them. */
    public void skip(long bytes) throws ChannelException {
        long left = bytes;
        while (left > 0) {
            requireMore();
            int now = (int) Math.min(left, available);
            taken(now);
            left -= now;
        }
    }

    private void requireMore() throws ChannelException {
        if (!await()) {
            throw new ChannelException(
                    ChannelFailure.UNEXPECTED_END, "the peer ended its stream inside a message; update the older side");
        }
    }

    // ---- for the channel

    /** Returns the number of bytes that may be received in one pass over the slab; one record more has room. */
    int receiveLimit() {
        return (int) slab.byteSize() - MAX_RECORD_BYTES;
    }

    boolean isFull() {
        return pieces == MAX_PIECES;
    }

    /** Forgets all pieces, which have been taken. */
    void clear() {
        pieces = 0;
        piece = 0;
    }

    /** Appends the plaintext of a record. */
    void add(long address, int length) {
        offsets[pieces] = (int) (address - slab.address());
        lengths[pieces] = length;
        pieces++;
        available += length;
    }
}
