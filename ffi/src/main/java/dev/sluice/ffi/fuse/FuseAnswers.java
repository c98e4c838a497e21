package dev.sluice.ffi.fuse;

/**
 * The structs of FUSE answers in linux/fuse.h: offset of each used field, size of each struct. All fields are in native
 * byte order.
 *
 * <pre>
 *   0      4               8           16
 *   +------+---------------+-----------+----------------------+
 *   | len  | -errno, or 0  |  unique   | struct of the opcode |
 *   +------+---------------+-----------+----------------------+
 * </pre>
 */
public final class FuseAnswers {
    /** Offset of {@code fuse_out_header.len}. */
    public static final int HEADER_LEN_OFFSET = 0;
    /** Offset of {@code fuse_out_header.error}. */
    public static final int HEADER_ERROR_OFFSET = 4;
    /** Offset of {@code fuse_out_header.unique}. */
    public static final int HEADER_UNIQUE_OFFSET = 8;
    /** Size of {@code fuse_out_header}. */
    public static final int HEADER_BYTES = 16;

    /** Offset of {@code fuse_init_out.major}. */
    public static final int INIT_MAJOR_OFFSET = 0;
    /** Offset of {@code fuse_init_out.minor}. */
    public static final int INIT_MINOR_OFFSET = 4;
    /** Offset of {@code fuse_init_out.max_readahead}. */
    public static final int INIT_MAX_READAHEAD_OFFSET = 8;
    /** Offset of {@code fuse_init_out.flags}. */
    public static final int INIT_FLAGS_OFFSET = 12;
    /** Offset of {@code fuse_init_out.max_background}. */
    public static final int INIT_MAX_BACKGROUND_OFFSET = 16;
    /** Offset of {@code fuse_init_out.congestion_threshold}. */
    public static final int INIT_CONGESTION_THRESHOLD_OFFSET = 18;
    /** Offset of {@code fuse_init_out.max_write}. */
    public static final int INIT_MAX_WRITE_OFFSET = 20;
    /** Offset of {@code fuse_init_out.time_gran}. */
    public static final int INIT_TIME_GRAN_OFFSET = 24;
    /** Offset of {@code fuse_init_out.max_pages}. */
    public static final int INIT_MAX_PAGES_OFFSET = 28;
    /** Size of {@code fuse_init_out}. */
    public static final int INIT_BYTES = 64;

    /** Offset of {@code fuse_entry_out.nodeid}. */
    public static final int ENTRY_NODEID_OFFSET = 0;
    /** Offset of {@code fuse_entry_out.generation}. */
    public static final int ENTRY_GENERATION_OFFSET = 8;
    /** Offset of {@code fuse_entry_out.entry_valid}. */
    public static final int ENTRY_ENTRY_VALID_OFFSET = 16;
    /** Offset of {@code fuse_entry_out.attr_valid}. */
    public static final int ENTRY_ATTR_VALID_OFFSET = 24;
    /** Offset of {@code fuse_entry_out.entry_valid_nsec}. */
    public static final int ENTRY_ENTRY_VALID_NSEC_OFFSET = 32;
    /** Offset of {@code fuse_entry_out.attr_valid_nsec}. */
    public static final int ENTRY_ATTR_VALID_NSEC_OFFSET = 36;
    /** Offset of {@code fuse_entry_out.attr}. */
    public static final int ENTRY_ATTR_OFFSET = 40;
    /** Size of {@code fuse_entry_out}. */
    public static final int ENTRY_BYTES = 128;

    /** Offset of {@code fuse_attr_out.attr_valid}. */
    public static final int ATTR_ATTR_VALID_OFFSET = 0;
    /** Offset of {@code fuse_attr_out.attr_valid_nsec}. */
    public static final int ATTR_ATTR_VALID_NSEC_OFFSET = 8;
    /** Offset of {@code fuse_attr_out.attr}. */
    public static final int ATTR_ATTR_OFFSET = 16;
    /** Size of {@code fuse_attr_out}. */
    public static final int ATTR_BYTES = 104;

    /** Offset of {@code fuse_attr.ino}. */
    public static final int ATTRIBUTES_INO_OFFSET = 0;
    /** Offset of {@code fuse_attr.size}. */
    public static final int ATTRIBUTES_SIZE_OFFSET = 8;
    /** Offset of {@code fuse_attr.blocks}. */
    public static final int ATTRIBUTES_BLOCKS_OFFSET = 16;
    /** Offset of {@code fuse_attr.atime}. */
    public static final int ATTRIBUTES_ATIME_OFFSET = 24;
    /** Offset of {@code fuse_attr.mtime}. */
    public static final int ATTRIBUTES_MTIME_OFFSET = 32;
    /** Offset of {@code fuse_attr.ctime}. */
    public static final int ATTRIBUTES_CTIME_OFFSET = 40;
    /** Offset of {@code fuse_attr.atimensec}. */
    public static final int ATTRIBUTES_ATIMENSEC_OFFSET = 48;
    /** Offset of {@code fuse_attr.mtimensec}. */
    public static final int ATTRIBUTES_MTIMENSEC_OFFSET = 52;
    /** Offset of {@code fuse_attr.ctimensec}. */
    public static final int ATTRIBUTES_CTIMENSEC_OFFSET = 56;
    /** Offset of {@code fuse_attr.mode}. */
    public static final int ATTRIBUTES_MODE_OFFSET = 60;
    /** Offset of {@code fuse_attr.nlink}. */
    public static final int ATTRIBUTES_NLINK_OFFSET = 64;
    /** Offset of {@code fuse_attr.uid}. */
    public static final int ATTRIBUTES_UID_OFFSET = 68;
    /** Offset of {@code fuse_attr.gid}. */
    public static final int ATTRIBUTES_GID_OFFSET = 72;
    /** Offset of {@code fuse_attr.rdev}. */
    public static final int ATTRIBUTES_RDEV_OFFSET = 76;
    /** Offset of {@code fuse_attr.blksize}. */
    public static final int ATTRIBUTES_BLKSIZE_OFFSET = 80;
    /** Size of {@code fuse_attr}. */
    public static final int ATTRIBUTES_BYTES = 88;

    /** Offset of {@code fuse_open_out.fh}. */
    public static final int OPEN_FH_OFFSET = 0;
    /** Offset of {@code fuse_open_out.open_flags}. */
    public static final int OPEN_OPEN_FLAGS_OFFSET = 8;
    /** Size of {@code fuse_open_out}. */
    public static final int OPEN_BYTES = 16;

    /** Offset of {@code fuse_write_out.size}. */
    public static final int WRITE_SIZE_OFFSET = 0;
    /** Size of {@code fuse_write_out}. */
    public static final int WRITE_BYTES = 8;

    /** Offset of {@code fuse_kstatfs.blocks}. */
    public static final int STATFS_BLOCKS_OFFSET = 0;
    /** Offset of {@code fuse_kstatfs.bfree}. */
    public static final int STATFS_BFREE_OFFSET = 8;
    /** Offset of {@code fuse_kstatfs.bavail}. */
    public static final int STATFS_BAVAIL_OFFSET = 16;
    /** Offset of {@code fuse_kstatfs.files}. */
    public static final int STATFS_FILES_OFFSET = 24;
    /** Offset of {@code fuse_kstatfs.ffree}. */
    public static final int STATFS_FFREE_OFFSET = 32;
    /** Offset of {@code fuse_kstatfs.bsize}. */
    public static final int STATFS_BSIZE_OFFSET = 40;
    /** Offset of {@code fuse_kstatfs.namelen}. */
    public static final int STATFS_NAMELEN_OFFSET = 44;
    /** Offset of {@code fuse_kstatfs.frsize}. */
    public static final int STATFS_FRSIZE_OFFSET = 48;
    /** Size of {@code fuse_kstatfs}. */
    public static final int STATFS_BYTES = 80;

    /** Offset of {@code fuse_dirent.ino}. */
    public static final int DIRENT_INO_OFFSET = 0;
    /** Offset of {@code fuse_dirent.off}. */
    public static final int DIRENT_OFF_OFFSET = 8;
    /** Offset of {@code fuse_dirent.namelen}. */
    public static final int DIRENT_NAMELEN_OFFSET = 16;
    /** Offset of {@code fuse_dirent.type}. */
    public static final int DIRENT_TYPE_OFFSET = 20;
    /** Offset of {@code fuse_dirent.name}. */
    public static final int DIRENT_NAME_OFFSET = 24;
    /** Size of {@code fuse_dirent}. */
    public static final int DIRENT_BYTES = 24;

    /** Offset of {@code fuse_getxattr_out.size}. */
    public static final int GETXATTR_SIZE_OFFSET = 0;
    /** Size of {@code fuse_getxattr_out}. */
    public static final int GETXATTR_BYTES = 8;

    /** Offset of {@code fuse_notify_inval_inode_out.ino}. */
    public static final int INVAL_INODE_INO_OFFSET = 0;
    /** Offset of {@code fuse_notify_inval_inode_out.off}: negative for the attributes alone. */
    public static final int INVAL_INODE_OFF_OFFSET = 8;
    /** Offset of {@code fuse_notify_inval_inode_out.len}. */
    public static final int INVAL_INODE_LEN_OFFSET = 16;
    /** Size of {@code fuse_notify_inval_inode_out}. */
    public static final int INVAL_INODE_BYTES = 24;

    private FuseAnswers() {}
}
