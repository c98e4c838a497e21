package dev.sluice.ffi.libc;

/**
 * Linux error numbers (asm-generic/errno-base.h and errno.h; the same on x86-64 and aarch64). Calls return them
 * negated: {@code -Errno.EAGAIN}.
 */
public final class Errno {
    /** Operation not permitted. */
    public static final int EPERM = 1;
    /** No such file or directory. */
    public static final int ENOENT = 2;
    /** Interrupted by a signal. */
    public static final int EINTR = 4;
    /** Input or output error. */
    public static final int EIO = 5;
    /** No such device, or no data beyond an offset. */
    public static final int ENXIO = 6;
    /** Bad file descriptor. */
    public static final int EBADF = 9;
    /** Try again: the call would block. */
    public static final int EAGAIN = 11;
    /** Out of memory. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** Bad address. */
    public static final int EFAULT = 14;
    /** Device or resource busy. */
    public static final int EBUSY = 16;
    /** File exists. */
    public static final int EEXIST = 17;
    /** Across file systems. */
    public static final int EXDEV = 18;
    /** Not a directory. */
    public static final int ENOTDIR = 20;
    /** Is a directory. */
    public static final int EISDIR = 21;
    /** Invalid argument. */
    public static final int EINVAL = 22;
    /** Too many open files in the system. */
    public static final int ENFILE = 23;
    /** Too many open files in the process. */
    public static final int EMFILE = 24;
    /** File too large. */
    public static final int EFBIG = 27;
    /** No space left on the device. */
    public static final int ENOSPC = 28;
    /** Read-only file system. */
    public static final int EROFS = 30;
    /** Broken pipe: the peer reads no more. */
    public static final int EPIPE = 32;
    /** Result does not fit. */
    public static final int ERANGE = 34;
    /** Name too long. */
    public static final int ENAMETOOLONG = 36;
    /** Function not implemented. */
    public static final int ENOSYS = 38;
    /** Directory not empty. */
    public static final int ENOTEMPTY = 39;
    /** A symbolic link where none is followed. */
    public static final int ELOOP = 40;
    /** No such attribute. */
    public static final int ENODATA = 61;
    /** Timer expired. */
    public static final int ETIME = 62;
    /** Protocol error. */
    public static final int EPROTO = 71;
    /** Bad message: from kernel TLS, a record that fails to open. */
    public static final int EBADMSG = 74;
    /** Message too long: from kernel TLS, an oversized record. */
    public static final int EMSGSIZE = 90;
    /** Operation not supported. */
    public static final int EOPNOTSUPP = 95;
    /** Address in use. */
    public static final int EADDRINUSE = 98;
    /** Address not available on this machine. */
    public static final int EADDRNOTAVAIL = 99;
    /** Network is down. */
    public static final int ENETDOWN = 100;
    /** Network is unreachable. */
    public static final int ENETUNREACH = 101;
    /** Connection aborted before it was accepted. */
    public static final int ECONNABORTED = 103;
    /** Connection reset by the peer. */
    public static final int ECONNRESET = 104;
    /** No buffer space. */
    public static final int ENOBUFS = 105;
    /** Not connected. */
    public static final int ENOTCONN = 107;
    /** Timed out. */
    public static final int ETIMEDOUT = 110;
    /** Connection refused. */
    public static final int ECONNREFUSED = 111;
    /** Host is unreachable. */
    public static final int EHOSTUNREACH = 113;
    /** Already in progress. */
    public static final int EALREADY = 114;
    /** Now in progress. */
    public static final int EINPROGRESS = 115;
    /** Stale file handle. */
    public static final int ESTALE = 116;
    /** Disk quota exceeded. */
    public static final int EDQUOT = 122;
    /** Cancelled. */
    public static final int ECANCELED = 125;

    private Errno() {}

    /**
     * Returns the symbol and its meaning, for messages: {@code ECONNRESET (connection reset by the peer)}.
     *
     * @param errno positive, or negated as returned by a call
     */
    public static String describe(int errno) {
        return switch (Math.abs(errno)) {
            case EPERM -> "EPERM (operation not permitted)";
            case ENOENT -> "ENOENT (no such file or directory)";
            case EINTR -> "EINTR (interrupted by a signal)";
            case EIO -> "EIO (input or output error)";
            case ENXIO -> "ENXIO (no such device or data)";
            case EBADF -> "EBADF (bad file descriptor)";
            case EAGAIN -> "EAGAIN (try again)";
            case ENOMEM -> "ENOMEM (out of memory, or above RLIMIT_MEMLOCK)";
            case EACCES -> "EACCES (permission denied)";
            case EFAULT -> "EFAULT (bad address)";
            case EBUSY -> "EBUSY (busy)";
            case EEXIST -> "EEXIST (exists already)";
            case EXDEV -> "EXDEV (across file systems)";
            case ENOTDIR -> "ENOTDIR (not a directory)";
            case EISDIR -> "EISDIR (is a directory)";
            case EINVAL -> "EINVAL (invalid argument)";
            case ENFILE -> "ENFILE (too many open files in the system)";
            case EMFILE -> "EMFILE (too many open files in the process)";
            case EFBIG -> "EFBIG (file too large for the file system)";
            case ENOSPC -> "ENOSPC (no space left on the device)";
            case EROFS -> "EROFS (read-only file system)";
            case EPIPE -> "EPIPE (the peer reads no more)";
            case ERANGE -> "ERANGE (result does not fit)";
            case ENAMETOOLONG -> "ENAMETOOLONG (name too long)";
            case ENOSYS -> "ENOSYS (not implemented by this kernel)";
            case ENOTEMPTY -> "ENOTEMPTY (directory not empty)";
            case ELOOP -> "ELOOP (symbolic link)";
            case ENODATA -> "ENODATA (no such attribute)";
            case ETIME -> "ETIME (timer expired)";
            case EPROTO -> "EPROTO (protocol error)";
            case EBADMSG -> "EBADMSG (bad message)";
            case EMSGSIZE -> "EMSGSIZE (message too long)";
            case EOPNOTSUPP -> "EOPNOTSUPP (not supported)";
            case EADDRINUSE -> "EADDRINUSE (address in use)";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL (not an address of this machine)";
            case ENETDOWN -> "ENETDOWN (network is down)";
            case ENETUNREACH -> "ENETUNREACH (network is unreachable)";
            case ECONNABORTED -> "ECONNABORTED (connection aborted)";
            case ECONNRESET -> "ECONNRESET (connection reset by the peer)";
            case ENOBUFS -> "ENOBUFS (no buffer space)";
            case ENOTCONN -> "ENOTCONN (not connected)";
            case ETIMEDOUT -> "ETIMEDOUT (timed out)";
            case ECONNREFUSED -> "ECONNREFUSED (connection refused)";
            case EHOSTUNREACH -> "EHOSTUNREACH (host is unreachable)";
            case EALREADY -> "EALREADY (already under way)";
            case EINPROGRESS -> "EINPROGRESS (in progress)";
            case ESTALE -> "ESTALE (stale file handle)";
            case EDQUOT -> "EDQUOT (disk quota exceeded)";
            case ECANCELED -> "ECANCELED (cancelled)";
            default -> "errno " + Math.abs(errno);
        };
    }
}
