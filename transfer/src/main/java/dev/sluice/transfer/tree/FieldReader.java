package dev.sluice.transfer.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A reader of numbers in network byte order and of byte strings, for messages of a peer. Reading beyond the end is a
 * {@link TransferFailure#PROTOCOL_VIOLATION}.
 */
public final class FieldReader {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private int position;
    private int limit;

    /** Creates a reader of an array that its owner refills; see {@link #reset}. */
    public FieldReader(byte[] bytes) {
        this.bytes = bytes;
        this.limit = bytes.length;
    }

    /** Starts again at the front, for new contents of a length. */
    public FieldReader reset(int length) {
        position = 0;
        limit = length;
        return this;
    }

    /** Returns the array read from. */
    public byte[] array() {
        return bytes;
    }

    /** Returns the offset of the next byte. */
    public int position() {
        return position;
    }

    /** Returns the bytes left. */
    public int remaining() {
        return limit - position;
    }

    /** Reads 8 bits, unsigned. */
    public int getByte() throws TransferException {
        return bytes[advance(1)] & 0xff;
    }

    /** Reads 16 bits, unsigned. */
    public int getShort() throws TransferException {
        return (short) SHORT.get(bytes, advance(Short.BYTES)) & 0xffff;
    }

    /** Reads 32 bits. */
    public int getInt() throws TransferException {
        return (int) INT.get(bytes, advance(Integer.BYTES));
    }

    /** Reads 64 bits. */
    public long getLong() throws TransferException {
        return (long) LONG.get(bytes, advance(Long.BYTES));
    }

    /** Reads a copy of bytes. */
    public byte[] get(int length) throws TransferException {
        int from = advance(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** Reads a byte string after its length in 8 bits. */
    public byte[] getShortString() throws TransferException {
        return get(getByte());
    }

    /** Reads a byte string after its length in 16 bits. */
    public byte[] getString() throws TransferException {
        return get(getShort());
    }

    /** Checks that nothing is left. */
    public void end() throws TransferException {
        if (position != limit) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION, "message too long: excess=" + (limit - position));
        }
    }

    private int advance(int length) throws TransferException {
        int from = position;
        if (length > limit - from) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION,
                    "message too short: needed=" + length + ", left=" + (limit - from));
        }
        position = from + length;
        return from;
    }
}
