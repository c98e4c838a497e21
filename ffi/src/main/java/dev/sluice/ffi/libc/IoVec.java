package dev.sluice.ffi.libc;

/** Access to an array of {@code struct iovec}, the pieces of a scattered read or write; see {@link MessageHeader}. */
public final class IoVec {
    /** The most pieces of one call (IOV_MAX of limits.h). */
    public static final int COUNT_MAX = 1024;
    /** Size of the struct. */
    public static final int BYTES = MessageHeader.IOVEC_BYTES;

    private IoVec() {}

    /** Writes the piece with an index in an array. */
    public static void write(long arrayAddress, int index, long base, long length) {
        long address = arrayAddress + (long) index * BYTES;
        RawMemory.putLong(address + MessageHeader.BASE_OFFSET, base);
        RawMemory.putLong(address + MessageHeader.LENGTH_OFFSET, length);
    }

    /** Returns the address of the first byte of the piece with an index. */
    public static long base(long arrayAddress, int index) {
        return RawMemory.getLong(arrayAddress + (long) index * BYTES + MessageHeader.BASE_OFFSET);
    }

    /** Returns the length of the piece with an index. */
    public static long length(long arrayAddress, int index) {
        return RawMemory.getLong(arrayAddress + (long) index * BYTES + MessageHeader.LENGTH_OFFSET);
    }
}
