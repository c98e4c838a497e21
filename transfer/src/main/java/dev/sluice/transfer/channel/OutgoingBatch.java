package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.record.RecordProtector;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The records of one {@link SecureChannel#send}: plaintext with room for each record's header and tag, so that records
 * are sealed in place and leave with one system call.
 *
 * <pre>
 *   | header | plaintext, at most 16384 | type, tag | header | plaintext ...
 *     5        the caller writes here     17
 * </pre>
 *
 * <p>The plaintext is one stream of bytes; a value may begin in one record and end in the next. {@link #position()}
 * counts the bytes written since {@link #clear()}. Three ways to write:
 *
 * <ul>
 *   <li>{@link #gather}, then preadv(2) into {@link #iovecAddress()}, then {@link #filled} with its result;
 *   <li>directly into {@link #slab()} from {@link #offset()} on, at most {@link #contiguousRoom()} bytes, then {@link
 *       #filled};
 *   <li>the {@code put} methods, for small values: network byte order.
 * </ul>
 *
 * <p>Owned by its channel, and confined to the thread that sends. The contents are ciphertext after a send, which also
 * clears the batch.
 */
public final class OutgoingBatch {
    /** The plaintext of a full record. */
    public static final int RECORD_BYTES = RecordProtector.MAX_PAYLOAD_BYTES;

    private static final int OVERHEAD_BYTES = RecordProtector.HEADER_BYTES + RecordProtector.TRAILER_BYTES;

    private final MemorySegment slab;
    private final Iovecs iovecs;
    private final int[] offsets;
    private final int[] positions;
    private final int maxRecords;

    /** The record being filled; every earlier one is complete. */
    private int current;

    private int position;

    /** Creates an empty batch. */
    OutgoingBatch(Owned owned, int maxRecords) {
        this.maxRecords = maxRecords;
        this.slab = owned.allocate((long) maxRecords * (RECORD_BYTES + OVERHEAD_BYTES));
        this.iovecs = new Iovecs(owned, maxRecords);
        this.offsets = new int[maxRecords + 1];
        this.positions = new int[maxRecords + 1];
        clear();
    }

    /** Returns the most plaintext that an empty batch takes. */
    public int capacity() {
        return maxRecords * RECORD_BYTES;
    }

    /** Returns the bytes of plaintext written. */
    public int position() {
        return position;
    }

    /** Returns the bytes of plaintext that still fit. */
    public int room() {
        return (maxRecords - current) * RECORD_BYTES - filledOfCurrent();
    }

    /** Returns the memory of the batch, valid until the channel closes. */
    public MemorySegment slab() {
        return slab;
    }

    /** Returns the offset in {@link #slab()} of the next byte of plaintext. */
    public int offset() {
        return offsets[current] + filledOfCurrent();
    }

    /** Returns the native address of the next byte of plaintext. */
    public long address() {
        return slab.address() + offset();
    }

    /** Returns the bytes that may be written from {@link #offset()} on: the rest of the current record. */
    public int contiguousRoom() {
        return current == maxRecords ? 0 : RECORD_BYTES - filledOfCurrent();
    }

    private int filledOfCurrent() {
        return position - positions[current];
    }

    // ---- iovecs

    /**
     * Describes the next plaintext areas as iovecs.
     *
     * @param bytes at most this many
     * @return the bytes described: the smaller one of {@code bytes} and {@link #room()}
     */
    public int gather(int bytes) {
        int wanted = Math.min(bytes, room());
        iovecs.clear();
        long at = address();
        int length = Math.min(wanted, contiguousRoom());
        while (length > 0) {
            iovecs.add(at, length);
            at += length + OVERHEAD_BYTES;
            length = Math.min(wanted - iovecs.bytes(), RECORD_BYTES);
        }
        return wanted;
    }

    /** Returns the address of the iovecs of the last {@link #gather}. */
    public long iovecAddress() {
        return iovecs.address();
    }

    /** Returns the number of iovecs of the last {@link #gather}. */
    public int iovecCount() {
        return iovecs.count();
    }

    /**
     * Accounts for plaintext written at the iovecs, or from {@link #offset()} on.
     *
     * @param bytes 0 to {@link #room()}
     */
    public void filled(int bytes) {
        if (bytes < 0 || bytes > room()) {
            throw new IndexOutOfBoundsException("filled=" + bytes + ", room=" + room());
        }
        int left = bytes;
        while (left > 0) {
            int now = Math.min(left, contiguousRoom());
            position += now;
            left -= now;
            if (contiguousRoom() == 0) {
                nextRecord();
            }
        }
    }

    private void nextRecord() {
        offsets[current + 1] = offset() + OVERHEAD_BYTES;
        positions[current + 1] = position;
        current++;
    }

    // ---- small values

    /** Appends one byte. */
    public void put(byte value) {
        RawMemory.putByte(requireRoom(Byte.BYTES), value);
        filled(Byte.BYTES);
    }

    /** Appends 16 bits. */
    public void putShort(int value) {
        requireRoom(Short.BYTES);
        put((byte) (value >> 8));
        put((byte) value);
    }

    /** Appends 32 bits. */
    public void putInt(int value) {
        long at = requireRoom(Integer.BYTES);
        if (contiguousRoom() >= Integer.BYTES) {
            RawMemory.putIntBigEndian(at, value);
            filled(Integer.BYTES);
        } else {
            putShort(value >> 16);
            putShort(value);
        }
    }

    /** Appends 64 bits. */
    public void putLong(long value) {
        requireRoom(Long.BYTES);
        putInt((int) (value >> 32));
        putInt((int) value);
    }

    /** Appends bytes of an array. */
    public void put(byte[] from, int index, int length) {
        put(MemorySegment.ofArray(from), index, length);
    }

    /** Appends bytes of a segment: a copy. */
    public void put(MemorySegment from, long offset, int length) {
        requireRoom(length);
        int done = 0;
        while (done < length) {
            int now = Math.min(length - done, contiguousRoom());
            MemorySegment.copy(from, offset + done, slab, offset(), now);
            filled(now);
            done += now;
        }
    }

    /**
     * Overwrites 32 bits written before, such as a length that was not known.
     *
     * @param at the {@link #position()} before they were written
     */
    public void setInt(int at, int value) {
        if (at < 0 || at + Integer.BYTES > position) {
            throw new IndexOutOfBoundsException("at=" + at + ", position=" + position);
        }
        for (int i = 0; i < Integer.BYTES; i++) {
            slab.set(ValueLayout.JAVA_BYTE, offsetOf(at + i), (byte) (value >> (Integer.SIZE - Byte.SIZE * (i + 1))));
        }
    }

    /** Ends the current record, so that the next byte begins another one. No effect on an empty record. */
    public void endRecord() {
        if (filledOfCurrent() > 0) {
            nextRecord();
        }
    }

    /** Removes everything written. */
    public void clear() {
        current = 0;
        position = 0;
        offsets[0] = RecordProtector.HEADER_BYTES;
        positions[0] = 0;
    }

    // ---- for the channel

    /** Returns the number of records with plaintext. */
    int records() {
        return filledOfCurrent() > 0 ? current + 1 : current;
    }

    /** Returns the address of a record's plaintext. */
    long recordAddress(int record) {
        return slab.address() + offsets[record];
    }

    /** Returns the plaintext bytes of a record. */
    int recordLength(int record) {
        return (record < current ? positions[record + 1] : position) - positions[record];
    }

    private long requireRoom(int bytes) {
        if (bytes > room()) {
            throw new IndexOutOfBoundsException("bytes=" + bytes + ", room=" + room() + "; send the batch first");
        }
        return address();
    }

    private int offsetOf(int at) {
        int record = current;
        while (positions[record] > at) {
            record--;
        }
        return offsets[record] + at - positions[record];
    }
}
