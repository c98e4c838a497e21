package dev.sluice.ffi.libc;

/** Constants of the C library's headers for files on Linux; a test compares each with its header. */
public final class FileConstants {
    /** The flags of open(2) below this differ between x86-64 and aarch64. */
    private static final boolean AARCH64 = System.getProperty("os.arch").equals("aarch64");

    // fcntl.h
    /** Opens for reading. */
    public static final int O_RDONLY = 0;
    /** Opens for writing. */
    public static final int O_WRONLY = 1;
    /** Opens for both. */
    public static final int O_RDWR = 2;
    /** Creates the file when it is absent. */
    public static final int O_CREAT = 0x40;
    /** Fails when the file exists. */
    public static final int O_EXCL = 0x80;
    /** Empties the file. */
    public static final int O_TRUNC = 0x200;
    /** Fails unless it is a directory. */
    public static final int O_DIRECTORY = AARCH64 ? 0x4000 : 0x10000;
    /** Fails when the last component is a symbolic link. */
    public static final int O_NOFOLLOW = AARCH64 ? 0x8000 : 0x20000;
    /** Closed on exec. */
    public static final int O_CLOEXEC = 0x80000;
    /** A place in the file system, neither readable nor writable. */
    public static final int O_PATH = 0x200000;
    /** The process's working directory. */
    public static final int AT_FDCWD = -100;
    /** A symbolic link itself rather than its target. */
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    /** Removes a directory. */
    public static final int AT_REMOVEDIR = 0x200;
    /** An empty path means the descriptor itself. */
    public static final int AT_EMPTY_PATH = 0x1000;

    // linux/openat2.h, sys/syscall.h
    /** The number of openat2(2), the same on x86-64 and aarch64. */
    public static final int SYS_openat2 = 437;
    /** Follows no link of procfs. */
    public static final int RESOLVE_NO_MAGICLINKS = 2;
    /** Fails at a symbolic link in any component. */
    public static final int RESOLVE_NO_SYMLINKS = 4;
    /** Fails when the path leaves the directory that it starts from. */
    public static final int RESOLVE_BENEATH = 8;

    // unistd.h
    /** From the start of the file. */
    public static final int SEEK_SET = 0;
    /** The next data at or after an offset. */
    public static final int SEEK_DATA = 3;
    /** The next hole at or after an offset. */
    public static final int SEEK_HOLE = 4;

    // sys/file.h
    /** An exclusive lock. */
    public static final int LOCK_EX = 2;
    /** Fails with EAGAIN rather than block. */
    public static final int LOCK_NB = 4;

    // linux/fs.h
    /** Fails when the new name exists. */
    public static final int RENAME_NOREPLACE = 1;

    // sys/stat.h
    /** The fields of a {@link Statx} that stat(2) has, too. */
    public static final int STATX_BASIC_STATS = 0x7ff;
    /** The bits of the mode that hold the kind of file. */
    public static final int S_IFMT = 0xf000;
    /** A directory. */
    public static final int S_IFDIR = 0x4000;
    /** A regular file. */
    public static final int S_IFREG = 0x8000;
    /** A symbolic link. */
    public static final int S_IFLNK = 0xa000;
    /** Sets a time to the present. */
    public static final int UTIME_NOW = 0x3fffffff;
    /** Leaves a time as it is. */
    public static final int UTIME_OMIT = 0x3ffffffe;

    private FileConstants() {}
}
