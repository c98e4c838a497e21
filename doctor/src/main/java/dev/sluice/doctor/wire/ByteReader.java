package dev.sluice.doctor.wire;

import java.util.Arrays;

/** A bounds-checked reader of untrusted bytes: whatever lengths they claim, it reads nothing beyond their end. */
public final class ByteReader {
    private final byte[] bytes;
    private final int end;
    private int at;

    /** Creates a reader of an array, which must not change meanwhile. */
    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ByteReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Returns the number of remaining bytes. */
    public int remaining() {
        return end - at;
    }

    /** Returns whether no byte remains. */
    public boolean isEmpty() {
        return at == end;
    }

    /** Reads one byte, 0 to 255. */
    public int u8(String field) throws MalformedException {
        need(1, field);
        return bytes[at++] & 0xFF;
    }

    /** Reads two bytes, 0 to 65,535. */
    public int u16(String field) throws MalformedException {
        return u8(field) << 8 | u8(field);
    }

    /** Reads three bytes. */
    int u24(String field) throws MalformedException {
        return u16(field) << 8 | u8(field);
    }

    /** Reads four bytes, 0 to 2^32 − 1. */
    public long u32(String field) throws MalformedException {
        return (long) u16(field) << 16 | u16(field);
    }

    /** Reads a number of bytes into a copy. */
    byte[] bytes(int count, String field) throws MalformedException {
        need(count, field);
        byte[] copy = Arrays.copyOfRange(bytes, at, at + count);
        at += count;
        return copy;
    }

    /** Reads the remaining bytes into a copy. */
    public byte[] rest() {
        byte[] copy = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return copy;
    }

    /** Returns a reader for the next bytes, which this one skips. */
    ByteReader part(int count, String field) throws MalformedException {
        need(count, field);
        ByteReader part = new ByteReader(bytes, at, at + count);
        at += count;
        return part;
    }

    /** Returns a reader for a vector with a one-byte length. */
    public ByteReader vector8(String field) throws MalformedException {
        return part(u8(field), field);
    }

    /** Returns a reader for a vector with a two-byte length. */
    public ByteReader vector16(String field) throws MalformedException {
        return part(u16(field), field);
    }

    /** Returns a reader for a vector with a three-byte length. */
    public ByteReader vector24(String field) throws MalformedException {
        return part(u24(field), field);
    }

    private void need(int count, String field) throws MalformedException {
        if (count > end - at) {
            throw new MalformedException(field + " claims " + count + " bytes, but " + (end - at) + " remain");
        }
    }
}
