package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static dev.sluice.ffi.libc.Downcalls.returnsLong;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * System calls on files, relative to open directories. Every call returns the C result when it is at least 0, else the
 * negated {@link Errno}. Addresses are native and belong to the caller; paths end with NUL.
 *
 * <p>An instance owns the buffer for errno, so it is confined to one thread at a time.
 */
public final class LibCFiles implements AutoCloseable {
    private static final MethodHandle openat =
            Downcalls.variadicWithErrno("openat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT), 3);
    private static final MethodHandle mkdirat =
            Downcalls.withErrno("mkdirat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle unlinkat =
            Downcalls.withErrno("unlinkat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle renameat2 =
            Downcalls.withErrno("renameat2", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle symlinkat =
            Downcalls.withErrno("symlinkat", returnsInt(JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle readlinkat =
            Downcalls.withErrno("readlinkat", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle statx =
            Downcalls.withErrno("statx", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle utimensat =
            Downcalls.withErrno("utimensat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle fchmod = Downcalls.withErrno("fchmod", returnsInt(JAVA_INT, JAVA_INT));
    private static final MethodHandle ftruncate = Downcalls.withErrno("ftruncate", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle fallocate =
            Downcalls.withErrno("fallocate", returnsInt(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle fsync = Downcalls.withErrno("fsync", returnsInt(JAVA_INT));
    private static final MethodHandle flock = Downcalls.withErrno("flock", returnsInt(JAVA_INT, JAVA_INT));
    private static final MethodHandle lseek = Downcalls.withErrno("lseek", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle preadv =
            Downcalls.withErrno("preadv", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle pwritev =
            Downcalls.withErrno("pwritev", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle futimens = Downcalls.withErrno("futimens", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle getdents64 =
            Downcalls.withErrno("getdents64", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle flistxattr =
            Downcalls.withErrno("flistxattr", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle fgetxattr =
            Downcalls.withErrno("fgetxattr", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle fsetxattr =
            Downcalls.withErrno("fsetxattr", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle syscall = Downcalls.variadicWithErrno(
            "syscall", returnsLong(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), 1);
    private static final MethodHandle close = Downcalls.plain("close", returnsInt(JAVA_INT));

    private final long captureAddress;
    private boolean closed;

    /** Creates an instance with its own errno buffer. */
    public LibCFiles() {
        long address = LibC.calloc(1, Downcalls.CAPTURE_BYTES);
        if (address == 0) {
            throw new OutOfMemoryError("calloc refused " + Downcalls.CAPTURE_BYTES + " bytes for errno");
        }
        this.captureAddress = address;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            LibC.free(captureAddress);
        }
    }

    /** Calls close(2); the descriptor is gone whatever the result. */
    public static void closeFd(int fd) {
        try {
            long _ = (long) close.invokeExact((long) fd);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls openat2(2) with an {@link OpenHow}; returns a new descriptor, owned by the caller. */
    public int openat2(int directoryFd, long pathAddress, long howAddress) {
        try {
            return (int) result((long) syscall.invokeExact(
                    Downcalls.capture(captureAddress),
                    (long) FileConstants.SYS_openat2,
                    (long) directoryFd,
                    pathAddress,
                    howAddress,
                    (long) OpenHow.BYTES));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls openat(2); returns a new descriptor, owned by the caller. */
    public int openat(int directoryFd, long pathAddress, int flags, int mode) {
        try {
            return intResult((long) openat.invokeExact(
                    Downcalls.capture(captureAddress), (long) directoryFd, pathAddress, (long) flags, (long) mode));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls mkdirat(2). */
    public int mkdirat(int directoryFd, long pathAddress, int mode) {
        try {
            return intResult((long) mkdirat.invokeExact(
                    Downcalls.capture(captureAddress), (long) directoryFd, pathAddress, (long) mode));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls unlinkat(2). */
    public int unlinkat(int directoryFd, long pathAddress, int flags) {
        try {
            return intResult((long) unlinkat.invokeExact(
                    Downcalls.capture(captureAddress), (long) directoryFd, pathAddress, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls renameat2(2). */
    public int renameat2(int fromFd, long fromPathAddress, int toFd, long toPathAddress, int flags) {
        try {
            return intResult((long) renameat2.invokeExact(
                    Downcalls.capture(captureAddress),
                    (long) fromFd,
                    fromPathAddress,
                    (long) toFd,
                    toPathAddress,
                    (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls symlinkat(2). */
    public int symlinkat(long targetAddress, int directoryFd, long pathAddress) {
        try {
            return intResult((long) symlinkat.invokeExact(
                    Downcalls.capture(captureAddress), targetAddress, (long) directoryFd, pathAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls readlinkat(2); returns the bytes of the link's target. */
    public long readlinkat(int directoryFd, long pathAddress, long bufferAddress, long length) {
        try {
            return result((long) readlinkat.invokeExact(
                    Downcalls.capture(captureAddress), (long) directoryFd, pathAddress, bufferAddress, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls statx(2); fills a {@link Statx}. */
    public int statx(int directoryFd, long pathAddress, int flags, int mask, long statxAddress) {
        try {
            return intResult((long) statx.invokeExact(
                    Downcalls.capture(captureAddress),
                    (long) directoryFd,
                    pathAddress,
                    (long) flags,
                    (long) mask,
                    statxAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls utimensat(2) with two {@link Timespec}: access and modification. */
    public int utimensat(int directoryFd, long pathAddress, long timesAddress, int flags) {
        try {
            return intResult((long) utimensat.invokeExact(
                    Downcalls.capture(captureAddress), (long) directoryFd, pathAddress, timesAddress, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fchmod(2). */
    public int fchmod(int fd, int mode) {
        try {
            return intResult((long) fchmod.invokeExact(Downcalls.capture(captureAddress), (long) fd, (long) mode));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls ftruncate(2). */
    public int ftruncate(int fd, long length) {
        try {
            return intResult((long) ftruncate.invokeExact(Downcalls.capture(captureAddress), (long) fd, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fallocate(2). */
    public int fallocate(int fd, int mode, long offset, long length) {
        try {
            return intResult((long)
                    fallocate.invokeExact(Downcalls.capture(captureAddress), (long) fd, (long) mode, offset, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fsync(2). */
    public int fsync(int fd) {
        try {
            return intResult((long) fsync.invokeExact(Downcalls.capture(captureAddress), (long) fd));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls flock(2). */
    public int flock(int fd, int operation) {
        try {
            return intResult((long) flock.invokeExact(Downcalls.capture(captureAddress), (long) fd, (long) operation));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls lseek(2); returns the new offset. */
    public long lseek(int fd, long offset, int whence) {
        try {
            return result(
                    (long) lseek.invokeExact(Downcalls.capture(captureAddress), (long) fd, offset, (long) whence));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls preadv(2) into {@link IoVec}s; returns the bytes read, 0 at the end of the file. */
    public long preadv(int fd, long iovecsAddress, int count, long offset) {
        try {
            return result((long) preadv.invokeExact(
                    Downcalls.capture(captureAddress), (long) fd, iovecsAddress, (long) count, offset));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls pwritev(2) from {@link IoVec}s; returns the bytes written. */
    public long pwritev(int fd, long iovecsAddress, int count, long offset) {
        try {
            return result((long) pwritev.invokeExact(
                    Downcalls.capture(captureAddress), (long) fd, iovecsAddress, (long) count, offset));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls futimens(3) with two {@link Timespec}: access and modification. */
    public int futimens(int fd, long timesAddress) {
        try {
            return intResult((long) futimens.invokeExact(Downcalls.capture(captureAddress), (long) fd, timesAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls getdents64(2); fills {@link DirectoryEntry} records and returns their bytes, 0 at the end. */
    public long getdents64(int fd, long bufferAddress, long length) {
        try {
            return result(
                    (long) getdents64.invokeExact(Downcalls.capture(captureAddress), (long) fd, bufferAddress, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls flistxattr(2); returns the bytes of the names, each ended by NUL. */
    public long flistxattr(int fd, long bufferAddress, long length) {
        try {
            return result(
                    (long) flistxattr.invokeExact(Downcalls.capture(captureAddress), (long) fd, bufferAddress, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fgetxattr(2); returns the bytes of the value. */
    public long fgetxattr(int fd, long nameAddress, long bufferAddress, long length) {
        try {
            return result((long) fgetxattr.invokeExact(
                    Downcalls.capture(captureAddress), (long) fd, nameAddress, bufferAddress, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fsetxattr(2). */
    public int fsetxattr(int fd, long nameAddress, long valueAddress, long length, int flags) {
        try {
            return intResult((long) fsetxattr.invokeExact(
                    Downcalls.capture(captureAddress), (long) fd, nameAddress, valueAddress, length, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    private int intResult(long returned) {
        int low = (int) returned; // the upper half of the register is undefined for a C int
        return (int) result(low);
    }

    private long result(long returned) {
        return returned == -1 ? -(int) Downcalls.ERRNO_IN.get(Downcalls.capture(captureAddress), 0L) : returned;
    }
}
