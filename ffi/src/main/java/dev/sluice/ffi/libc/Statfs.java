package dev.sluice.ffi.libc;

/**
 * {@code struct statfs} of sys/vfs.h with 64-bit fields, as on x86-64 and aarch64.
 *
 * <pre>
 *   0      8       16       24      32       40      48      56     64        72       80       88 ... 120
 *   +------+-------+--------+-------+--------+-------+-------+------+---------+--------+--------+------+
 *   | type | bsize | blocks | bfree | bavail | files | ffree | fsid | namelen | frsize | flags  | ...  |
 *   +------+-------+--------+-------+--------+-------+-------+------+---------+--------+--------+------+
 * </pre>
 */
public final class Statfs {
    /** Offset of the block size. */
    public static final int BLOCK_SIZE_OFFSET = 8;
    /** Offset of the number of blocks. */
    public static final int BLOCKS_OFFSET = 16;
    /** Offset of the free blocks. */
    public static final int FREE_OFFSET = 24;
    /** Offset of the blocks free for everybody. */
    public static final int AVAILABLE_OFFSET = 32;
    /** Offset of the number of inodes. */
    public static final int FILES_OFFSET = 40;
    /** Offset of the free inodes. */
    public static final int FREE_FILES_OFFSET = 48;
    /** Offset of the most bytes of a name. */
    public static final int NAME_BYTES_OFFSET = 64;
    /** Offset of the fragment size, the unit of the blocks. */
    public static final int FRAGMENT_SIZE_OFFSET = 72;
    /** Size of the struct. */
    public static final int BYTES = 120;

    private Statfs() {}
}
