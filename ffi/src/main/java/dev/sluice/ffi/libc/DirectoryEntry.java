package dev.sluice.ffi.libc;

/**
 * {@code struct dirent64} of dirent.h, a record of variable length.
 *
 * <pre>
 *   0          8          16             18          19
 *   +----------+----------+--------------+-----------+------------------+
 *   | ino (64) | off (64) | reclen (16)  | type (8)  | name, then a NUL |
 *   +----------+----------+--------------+-----------+------------------+
 * </pre>
 */
public final class DirectoryEntry {
    /** Offset of the position after this record, for lseek(2). */
    public static final int COOKIE_OFFSET = 8;
    /** Offset of the record's length. */
    public static final int LENGTH_OFFSET = 16;
    /** Offset of the kind of file. */
    public static final int TYPE_OFFSET = 18;
    /** Offset of the name. */
    public static final int NAME_OFFSET = 19;

    private DirectoryEntry() {}

    /** Returns the record's length in bytes. */
    public static int length(long address) {
        return RawMemory.getShort(address + LENGTH_OFFSET) & 0xffff;
    }

    /** Returns a copy of the name. */
    public static byte[] name(long address) {
        int length = 0;
        while (RawMemory.getByte(address + NAME_OFFSET + length) != 0) {
            length++;
        }
        byte[] name = new byte[length];
        RawMemory.copy(address + NAME_OFFSET, name, 0, length);
        return name;
    }
}
