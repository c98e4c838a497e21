package dev.sluice.ffi.libc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Access to native memory by raw address, for the data path: no bounds check, no allocation, inlined to single
 * instructions.
 *
 * <p>A wrong address ends the process, so callers compute addresses only from regions that they own. The memory order
 * is in the method's name; methods without one are plain accesses. Values are in native byte order unless the name says
 * otherwise.
 */
public final class RawMemory {
    private static final MemorySegment ALL = everything();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final ValueLayout.OfShort SHORT_BE =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT_BE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private RawMemory() {}

    @SuppressWarnings("restricted")
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /**
     * Returns a bounds-checked view, in the global scope, of native memory that another object owns. Derived from a
     * constant, so that the JIT compiler knows its type and eliminates it where it is only passed on.
     *
     * @param address the first byte
     * @param byteSize its size; not checked
     */
    public static MemorySegment view(long address, long byteSize) {
        return ALL.asSlice(address, byteSize);
    }

    /** Reads one byte. */
    public static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    /** Writes one byte. */
    public static void putByte(long address, byte value) {
        ALL.set(ValueLayout.JAVA_BYTE, address, value);
    }

    /** Reads 16 bits, unaligned. */
    public static short getShort(long address) {
        return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address);
    }

    /** Writes 16 bits, unaligned. */
    public static void putShort(long address, short value) {
        ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, value);
    }

    /** Reads 16 bits in network byte order, unaligned. */
    public static short getShortBigEndian(long address) {
        return ALL.get(SHORT_BE, address);
    }

    /** Writes 16 bits in network byte order, unaligned. */
    public static void putShortBigEndian(long address, short value) {
        ALL.set(SHORT_BE, address, value);
    }

    /** Reads 32 bits, unaligned. */
    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    /** Writes 32 bits, unaligned. */
    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /** Writes 32 bits in network byte order, unaligned. */
    public static void putIntBigEndian(long address, int value) {
        ALL.set(INT_BE, address, value);
    }

    /** Reads 64 bits, unaligned. */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /** Writes 64 bits, unaligned. */
    public static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /** Reads 64 aligned bits that another thread writes: a recent value, never torn. */
    public static long getLongOpaque(long address) {
        return (long) LONG.getOpaque(ALL, address);
    }

    /** Writes 64 aligned bits that other threads read, without ordering towards other memory. */
    public static void putLongOpaque(long address, long value) {
        LONG.setOpaque(ALL, address, value);
    }

    /** Reads 32 aligned bits with acquire order: writes before the other side's release are visible afterwards. */
    public static int getIntAcquire(long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    /** Writes 32 aligned bits with release order. */
    public static void putIntRelease(long address, int value) {
        INT.setRelease(ALL, address, value);
    }

    /** Writes 16 aligned bits with release order. */
    public static void putShortRelease(long address, short value) {
        SHORT.setRelease(ALL, address, value);
    }

    /** Copies bytes; the ranges may overlap. */
    public static void copy(long fromAddress, long toAddress, long byteCount) {
        MemorySegment.copy(ALL, fromAddress, ALL, toAddress, byteCount);
    }

    /** Copies bytes into an array. */
    public static void copy(long fromAddress, byte[] to, int toIndex, int byteCount) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, fromAddress, to, toIndex, byteCount);
    }

    /** Copies bytes out of an array. */
    public static void copy(byte[] from, int fromIndex, long toAddress, int byteCount) {
        MemorySegment.copy(from, fromIndex, ALL, ValueLayout.JAVA_BYTE, toAddress, byteCount);
    }

    /** Fills bytes with zero. */
    public static void zero(long address, long byteCount) {
        ALL.asSlice(address, byteCount).fill((byte) 0);
    }

    /** Reads a C string (UTF-8, NUL-terminated) from memory that the library owns; "" for a null pointer. */
    public static String getString(long address) {
        return address == 0 ? "" : ALL.getString(address);
    }
}
