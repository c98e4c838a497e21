package dev.sluice.ffi.fuse;

/** Constants of linux/fuse.h; a test compares each with the header. */
public final class FuseConstants {
    /** The protocol's major version. */
    public static final int FUSE_KERNEL_VERSION = 7;
    /** The node of the root directory. */
    public static final int FUSE_ROOT_ID = 1;

    // enum fuse_opcode
    /** Finds a name in a directory. */
    public static final int FUSE_LOOKUP = 1;
    /** Drops references to a node; has no answer. */
    public static final int FUSE_FORGET = 2;
    /** Returns attributes. */
    public static final int FUSE_GETATTR = 3;
    /** Changes attributes. */
    public static final int FUSE_SETATTR = 4;
    /** Returns the target of a symbolic link. */
    public static final int FUSE_READLINK = 5;
    /** Makes a symbolic link. */
    public static final int FUSE_SYMLINK = 6;
    /** Makes a directory. */
    public static final int FUSE_MKDIR = 9;
    /** Removes a name. */
    public static final int FUSE_UNLINK = 10;
    /** Makes a pipe, socket or device. */
    public static final int FUSE_MKNOD = 8;
    /** Removes an empty directory. */
    public static final int FUSE_RMDIR = 11;
    /** Renames. */
    public static final int FUSE_RENAME = 12;
    /** Opens a file. */
    public static final int FUSE_OPEN = 14;
    /** Reads. */
    public static final int FUSE_READ = 15;
    /** Writes. */
    public static final int FUSE_WRITE = 16;
    /** Returns figures of the file system. */
    public static final int FUSE_STATFS = 17;
    /** Ends the use of an open file. */
    public static final int FUSE_RELEASE = 18;
    /** Makes a file durable. */
    public static final int FUSE_FSYNC = 20;
    /** Sets an extended attribute. */
    public static final int FUSE_SETXATTR = 21;
    /** Returns an extended attribute. */
    public static final int FUSE_GETXATTR = 22;
    /** Lists extended attributes. */
    public static final int FUSE_LISTXATTR = 23;
    /** Removes an extended attribute. */
    public static final int FUSE_REMOVEXATTR = 24;
    /** Follows each close(2). */
    public static final int FUSE_FLUSH = 25;
    /** Opens the conversation. */
    public static final int FUSE_INIT = 26;
    /** Opens a directory. */
    public static final int FUSE_OPENDIR = 27;
    /** Lists names. */
    public static final int FUSE_READDIR = 28;
    /** Ends the use of an open directory. */
    public static final int FUSE_RELEASEDIR = 29;
    /** Makes a directory durable. */
    public static final int FUSE_FSYNCDIR = 30;
    /** Creates and opens a file. */
    public static final int FUSE_CREATE = 35;
    /** Asks for the early end of a request; has no answer. */
    public static final int FUSE_INTERRUPT = 36;
    /** A notification that what the kernel knows of an inode is out of date. */
    public static final int FUSE_NOTIFY_INVAL_INODE = 2;
    /** Ends the conversation. */
    public static final int FUSE_DESTROY = 38;
    /** Drops references to several nodes; has no answer. */
    public static final int FUSE_BATCH_FORGET = 42;
    /** Lists names with their attributes. */
    public static final int FUSE_READDIRPLUS = 44;
    /** Renames with flags. */
    public static final int FUSE_RENAME2 = 45;

    // flags of FUSE_INIT
    /** Several reads at once. */
    public static final int FUSE_ASYNC_READ = 1 << 0;
    /** Opening truncates. */
    public static final int FUSE_ATOMIC_O_TRUNC = 1 << 3;
    /** Writes of more than a page. */
    public static final int FUSE_BIG_WRITES = 1 << 5;
    /** Changed times or sizes invalidate cached pages. */
    public static final int FUSE_AUTO_INVAL_DATA = 1 << 12;
    /** Directories are listed with attributes. */
    public static final int FUSE_DO_READDIRPLUS = 1 << 13;
    /** The kernel chooses between both kinds of listing. */
    public static final int FUSE_READDIRPLUS_AUTO = 1 << 14;
    /** Direct reads and writes at once. */
    public static final int FUSE_ASYNC_DIO = 1 << 15;
    /** Lookups of a directory at once. */
    public static final int FUSE_PARALLEL_DIROPS = 1 << 18;
    /** The answer names the most pages of a request. */
    public static final int FUSE_MAX_PAGES = 1 << 22;

    // flags of the answer to FUSE_OPEN
    /** Cached pages stay valid. */
    public static final int FOPEN_KEEP_CACHE = 1 << 1;

    // fuse_setattr_in.valid
    /** The permissions change. */
    public static final int FATTR_MODE = 1 << 0;
    /** The owner changes. */
    public static final int FATTR_UID = 1 << 1;
    /** The group changes. */
    public static final int FATTR_GID = 1 << 2;
    /** The size changes. */
    public static final int FATTR_SIZE = 1 << 3;
    /** The access time changes. */
    public static final int FATTR_ATIME = 1 << 4;
    /** The modification time changes. */
    public static final int FATTR_MTIME = 1 << 5;
    /** The open file is given. */
    public static final int FATTR_FH = 1 << 6;
    /** The access time becomes the present. */
    public static final int FATTR_ATIME_NOW = 1 << 7;
    /** The modification time becomes the present. */
    public static final int FATTR_MTIME_NOW = 1 << 8;

    // flags of requests
    /** Only data, and the size, become durable. */
    public static final int FUSE_FSYNC_FDATASYNC = 1 << 0;
    /** The open file is given. */
    public static final int FUSE_GETATTR_FH = 1 << 0;

    private FuseConstants() {}
}
