package dev.sluice.transfer.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A writer of numbers in network byte order and of byte strings into an array of fixed size. Allocates nothing. */
public final class FieldWriter {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private int position;

    /** Creates an empty writer. */
    public FieldWriter(int capacity) {
        this.bytes = new byte[capacity];
    }

    /** Returns the array written to; valid up to {@link #position()}. */
    public byte[] array() {
        return bytes;
    }

    /** Returns the number of bytes written. */
    public int position() {
        return position;
    }

    /** Returns the bytes that still fit. */
    public int room() {
        return bytes.length - position;
    }

    /** Drops everything from a position on. */
    public void truncate(int to) {
        position = to;
    }

    /** Appends 8 bits. */
    public FieldWriter putByte(int value) {
        bytes[position] = (byte) value;
        position++;
        return this;
    }

    /** Appends 16 bits. */
    public FieldWriter putShort(int value) {
        SHORT.set(bytes, position, (short) value);
        position += Short.BYTES;
        return this;
    }

    /** Appends 32 bits. */
    public FieldWriter putInt(int value) {
        INT.set(bytes, position, value);
        position += Integer.BYTES;
        return this;
    }

    /** Appends 64 bits. */
    public FieldWriter putLong(long value) {
        LONG.set(bytes, position, value);
        position += Long.BYTES;
        return this;
    }

    /** Appends bytes. */
    public FieldWriter put(byte[] from) {
        System.arraycopy(from, 0, bytes, position, from.length);
        position += from.length;
        return this;
    }

    /** Appends a byte string after its length in 8 bits. */
    public FieldWriter putShortString(byte[] string) {
        return putByte(string.length).put(string);
    }

    /** Appends a byte string after its length in 16 bits. */
    public FieldWriter putString(byte[] string) {
        return putShort(string.length).put(string);
    }
}
