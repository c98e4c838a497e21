package dev.sluice.doctor.wire;

import java.util.Arrays;

/** Reads what somebody else has written, from its begin to its end: whatever lengths it claims, nothing beyond it is touched. */
public final class ByteReader {
    private final byte[] bytes;
    private final int end;
    private int at;

    /** Reads an array, which must not change meanwhile. */
    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ByteReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Bytes that are left. */
    public int remaining() {
        return end - at;
    }

    /** Whether nothing is left. */
    public boolean isEmpty() {
        return at == end;
    }

    /** The next byte, 0 to 255. */
    public int u8(String field) throws MalformedException {
        need(1, field);
        return bytes[at++] & 0xFF;
    }

    /** The next two bytes, 0 to 65,535. */
    public int u16(String field) throws MalformedException {
        return u8(field) << 8 | u8(field);
    }

    /** The next three bytes. */
    public int u24(String field) throws MalformedException {
        return u16(field) << 8 | u8(field);
    }

    /** The next four bytes, 0 to 2^32 − 1. */
    public long u32(String field) throws MalformedException {
        return (long) u16(field) << 16 | u16(field);
    }

    /** So many bytes, copied. */
    public byte[] bytes(int count, String field) throws MalformedException {
        need(count, field);
        byte[] copy = Arrays.copyOfRange(bytes, at, at + count);
        at += count;
        return copy;
    }

    /** What is left, copied. */
    public byte[] rest() {
        byte[] copy = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return copy;
    }

    /** So many bytes, to be read on their own. */
    public ByteReader part(int count, String field) throws MalformedException {
        need(count, field);
        ByteReader part = new ByteReader(bytes, at, at + count);
        at += count;
        return part;
    }

    /** What stands behind a length of one byte. */
    public ByteReader vector8(String field) throws MalformedException {
        return part(u8(field), field);
    }

    /** What stands behind a length of two bytes. */
    public ByteReader vector16(String field) throws MalformedException {
        return part(u16(field), field);
    }

    /** What stands behind a length of three bytes. */
    public ByteReader vector24(String field) throws MalformedException {
        return part(u24(field), field);
    }

    private void need(int count, String field) throws MalformedException {
        if (count > end - at) {
            throw new MalformedException(field + " claims " + count + " bytes, and " + (end - at) + " are left");
        }
    }
}
