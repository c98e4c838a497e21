package dev.sluice.ffi.libc;

/**
 * {@code struct statx} of linux/stat.h, the same on every platform.
 *
 * <pre>
 *   0       16       20      28         32         40         48            112
 *   +--...--+--------+-...-+-+----------+----------+----------+--...--------+------------------+
 *   |       | nlink  |  uid  | mode (16)| ino (64) | size (64)| blocks (64) | mtime: s 64, ns 32
 *   +--...--+--------+-...-+-+----------+----------+----------+--...--------+------------------+
 * </pre>
 */
public final class Statx {
    /** Offset of the number of links. */
    public static final int LINKS_OFFSET = 16;
    /** Offset of the owner's number. */
    public static final int OWNER_OFFSET = 20;
    /** Offset of the group's number. */
    public static final int GROUP_OFFSET = 24;
    /** Offset of kind and permissions, 16 bits. */
    public static final int MODE_OFFSET = 28;
    /** Offset of the inode's number. */
    public static final int INODE_OFFSET = 32;
    /** Offset of the size in bytes. */
    public static final int SIZE_OFFSET = 40;
    /** Offset of the allocated blocks of {@link #BLOCK_BYTES}. */
    public static final int BLOCKS_OFFSET = 48;
    /** Offset of the access time's seconds; its nanoseconds, 32 bits, follow, as those of the other times do. */
    public static final int ATIME_SECONDS_OFFSET = 64;
    /** Offset of the change time's seconds. */
    public static final int CTIME_SECONDS_OFFSET = 96;
    /** Offset of the modification time's seconds. */
    public static final int MTIME_SECONDS_OFFSET = 112;
    /** Offset of the modification time's nanoseconds, 32 bits. */
    public static final int MTIME_NANOS_OFFSET = 120;
    /** Size of the struct. */
    public static final int BYTES = 256;
    /** The unit of the allocated blocks. */
    public static final int BLOCK_BYTES = 512;

    private Statx() {}

    /** Returns kind and permissions. */
    public static int mode(long address) {
        return RawMemory.getShort(address + MODE_OFFSET) & 0xffff;
    }

    /** Returns the size in bytes. */
    public static long size(long address) {
        return RawMemory.getLong(address + SIZE_OFFSET);
    }

    /** Returns the number of links. */
    public static int links(long address) {
        return RawMemory.getInt(address + LINKS_OFFSET);
    }

    /** Returns the bytes allocated on the device. */
    public static long allocatedBytes(long address) {
        return RawMemory.getLong(address + BLOCKS_OFFSET) * BLOCK_BYTES;
    }

    /** Returns the whole seconds of the modification time. */
    public static long mtimeSeconds(long address) {
        return RawMemory.getLong(address + MTIME_SECONDS_OFFSET);
    }

    /** Returns the nanoseconds of the modification time beyond its seconds. */
    public static int mtimeNanos(long address) {
        return RawMemory.getInt(address + MTIME_NANOS_OFFSET);
    }
}
