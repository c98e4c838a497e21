package dev.sluice.ffi.fuse;

/**
 * The structs of FUSE requests in linux/fuse.h: offset of each used field, size of each struct. All fields are in
 * native byte order.
 *
 * <pre>
 *   0      4         8           16          24    28    32    36           40
 *   +------+---------+-----------+-----------+-----+-----+-----+------------+----------------------+
 *   | len  | opcode  |  unique   |  nodeid   | uid | gid | pid | extensions | struct of the opcode |
 *   +------+---------+-----------+-----------+-----+-----+-----+------------+----------------------+
 * </pre>
 */
public final class FuseRequests {
    /** Offset of {@code fuse_in_header.len}. */
    public static final int HEADER_LEN_OFFSET = 0;
    /** Offset of {@code fuse_in_header.opcode}. */
    public static final int HEADER_OPCODE_OFFSET = 4;
    /** Offset of {@code fuse_in_header.unique}. */
    public static final int HEADER_UNIQUE_OFFSET = 8;
    /** Offset of {@code fuse_in_header.nodeid}. */
    public static final int HEADER_NODEID_OFFSET = 16;
    /** Offset of {@code fuse_in_header.uid}. */
    public static final int HEADER_UID_OFFSET = 24;
    /** Offset of {@code fuse_in_header.gid}. */
    public static final int HEADER_GID_OFFSET = 28;
    /** Offset of {@code fuse_in_header.pid}. */
    public static final int HEADER_PID_OFFSET = 32;
    /** Size of {@code fuse_in_header}. */
    public static final int HEADER_BYTES = 40;

    /** Offset of {@code fuse_init_in.minor}. */
    public static final int INIT_MINOR_OFFSET = 4;
    /** Offset of {@code fuse_init_in.max_readahead}. */
    public static final int INIT_MAX_READAHEAD_OFFSET = 8;
    /** Offset of {@code fuse_init_in.flags}. */
    public static final int INIT_FLAGS_OFFSET = 12;
    /** Size of {@code fuse_init_in}. */
    public static final int INIT_BYTES = 64;

    /** Offset of {@code fuse_forget_in.nlookup}. */
    public static final int FORGET_NLOOKUP_OFFSET = 0;
    /** Size of {@code fuse_forget_in}. */
    public static final int FORGET_BYTES = 8;

    /** Offset of {@code fuse_batch_forget_in.count}. */
    public static final int BATCH_COUNT_OFFSET = 0;
    /** Size of {@code fuse_batch_forget_in}. */
    public static final int BATCH_BYTES = 8;

    /** Offset of {@code fuse_forget_one.nodeid}. */
    public static final int BATCH_ONE_NODEID_OFFSET = 0;
    /** Offset of {@code fuse_forget_one.nlookup}. */
    public static final int BATCH_ONE_NLOOKUP_OFFSET = 8;
    /** Size of {@code fuse_forget_one}. */
    public static final int BATCH_ONE_BYTES = 16;

    /** Offset of {@code fuse_getattr_in.getattr_flags}. */
    public static final int GETATTR_GETATTR_FLAGS_OFFSET = 0;
    /** Offset of {@code fuse_getattr_in.fh}. */
    public static final int GETATTR_FH_OFFSET = 8;
    /** Size of {@code fuse_getattr_in}. */
    public static final int GETATTR_BYTES = 16;

    /** Offset of {@code fuse_mkdir_in.mode}. */
    public static final int MKDIR_MODE_OFFSET = 0;
    /** Size of {@code fuse_mkdir_in}. */
    public static final int MKDIR_BYTES = 8;

    /** Offset of {@code fuse_rename_in.newdir}. */
    public static final int RENAME_NEWDIR_OFFSET = 0;
    /** Size of {@code fuse_rename_in}. */
    public static final int RENAME_BYTES = 8;

    /** Offset of {@code fuse_rename2_in.newdir}. */
    public static final int RENAME2_NEWDIR_OFFSET = 0;
    /** Offset of {@code fuse_rename2_in.flags}. */
    public static final int RENAME2_FLAGS_OFFSET = 8;
    /** Size of {@code fuse_rename2_in}. */
    public static final int RENAME2_BYTES = 16;

    /** Offset of {@code fuse_setattr_in.valid}. */
    public static final int SETATTR_VALID_OFFSET = 0;
    /** Offset of {@code fuse_setattr_in.fh}. */
    public static final int SETATTR_FH_OFFSET = 8;
    /** Offset of {@code fuse_setattr_in.size}. */
    public static final int SETATTR_SIZE_OFFSET = 16;
    /** Offset of {@code fuse_setattr_in.atime}. */
    public static final int SETATTR_ATIME_OFFSET = 32;
    /** Offset of {@code fuse_setattr_in.mtime}. */
    public static final int SETATTR_MTIME_OFFSET = 40;
    /** Offset of {@code fuse_setattr_in.atimensec}. */
    public static final int SETATTR_ATIMENSEC_OFFSET = 56;
    /** Offset of {@code fuse_setattr_in.mtimensec}. */
    public static final int SETATTR_MTIMENSEC_OFFSET = 60;
    /** Offset of {@code fuse_setattr_in.mode}. */
    public static final int SETATTR_MODE_OFFSET = 68;
    /** Offset of {@code fuse_setattr_in.uid}. */
    public static final int SETATTR_UID_OFFSET = 76;
    /** Offset of {@code fuse_setattr_in.gid}. */
    public static final int SETATTR_GID_OFFSET = 80;
    /** Size of {@code fuse_setattr_in}. */
    public static final int SETATTR_BYTES = 88;

    /** Offset of {@code fuse_open_in.flags}. */
    public static final int OPEN_FLAGS_OFFSET = 0;
    /** Size of {@code fuse_open_in}. */
    public static final int OPEN_BYTES = 8;

    /** Offset of {@code fuse_create_in.flags}. */
    public static final int CREATE_FLAGS_OFFSET = 0;
    /** Offset of {@code fuse_create_in.mode}. */
    public static final int CREATE_MODE_OFFSET = 4;
    /** Size of {@code fuse_create_in}. */
    public static final int CREATE_BYTES = 16;

    /** Offset of {@code fuse_release_in.fh}. */
    public static final int RELEASE_FH_OFFSET = 0;
    /** Size of {@code fuse_release_in}. */
    public static final int RELEASE_BYTES = 24;

    /** Offset of {@code fuse_flush_in.fh}. */
    public static final int FLUSH_FH_OFFSET = 0;
    /** Size of {@code fuse_flush_in}. */
    public static final int FLUSH_BYTES = 24;

    /** Offset of {@code fuse_read_in.fh}. */
    public static final int READ_FH_OFFSET = 0;
    /** Offset of {@code fuse_read_in.offset}. */
    public static final int READ_OFFSET_OFFSET = 8;
    /** Offset of {@code fuse_read_in.size}. */
    public static final int READ_SIZE_OFFSET = 16;
    /** Size of {@code fuse_read_in}. */
    public static final int READ_BYTES = 40;

    /** Offset of {@code fuse_write_in.fh}. */
    public static final int WRITE_FH_OFFSET = 0;
    /** Offset of {@code fuse_write_in.offset}. */
    public static final int WRITE_OFFSET_OFFSET = 8;
    /** Offset of {@code fuse_write_in.size}. */
    public static final int WRITE_SIZE_OFFSET = 16;
    /** Size of {@code fuse_write_in}. */
    public static final int WRITE_BYTES = 40;

    /** Offset of {@code fuse_fsync_in.fh}. */
    public static final int FSYNC_FH_OFFSET = 0;
    /** Offset of {@code fuse_fsync_in.fsync_flags}. */
    public static final int FSYNC_FSYNC_FLAGS_OFFSET = 8;
    /** Size of {@code fuse_fsync_in}. */
    public static final int FSYNC_BYTES = 16;

    /** Offset of {@code fuse_getxattr_in.size}. */
    public static final int GETXATTR_SIZE_OFFSET = 0;
    /** Size of {@code fuse_getxattr_in}. */
    public static final int GETXATTR_BYTES = 8;

    private FuseRequests() {}
}
