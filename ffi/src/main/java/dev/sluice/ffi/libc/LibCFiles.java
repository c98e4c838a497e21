package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static dev.sluice.ffi.libc.Downcalls.returnsLong;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.ffi.internal.ErrnoFunction;
import java.lang.invoke.MethodHandle;

/**
 * System calls on files, relative to open directories. Every call returns the C result when it is at least 0, else the
 * negated {@link Errno}. Addresses are native and belong to the caller; paths end with NUL.
 *
 * <p>An instance owns the buffer for errno, so it is confined to one thread at a time.
 */
public final class LibCFiles implements AutoCloseable {
    private static final ErrnoFunction openat =
            Downcalls.variadicWithErrno("openat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT), 3);
    private static final ErrnoFunction mkdirat =
            Downcalls.withErrno("mkdirat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction unlinkat =
            Downcalls.withErrno("unlinkat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction renameat2 =
            Downcalls.withErrno("renameat2", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction symlinkat =
            Downcalls.withErrno("symlinkat", returnsInt(JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction readlinkat =
            Downcalls.withErrno("readlinkat", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction statx =
            Downcalls.withErrno("statx", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction utimensat =
            Downcalls.withErrno("utimensat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction fchmod = Downcalls.withErrno("fchmod", returnsInt(JAVA_INT, JAVA_INT));
    private static final ErrnoFunction ftruncate = Downcalls.withErrno("ftruncate", returnsInt(JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction fallocate =
            Downcalls.withErrno("fallocate", returnsInt(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction fsync = Downcalls.withErrno("fsync", returnsInt(JAVA_INT));
    private static final ErrnoFunction flock = Downcalls.withErrno("flock", returnsInt(JAVA_INT, JAVA_INT));
    private static final ErrnoFunction lseek = Downcalls.withErrno("lseek", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction preadv =
            Downcalls.withErrno("preadv", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction pwritev =
            Downcalls.withErrno("pwritev", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction futimens = Downcalls.withErrno("futimens", returnsInt(JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction getdents64 =
            Downcalls.withErrno("getdents64", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction flistxattr =
            Downcalls.withErrno("flistxattr", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction fgetxattr =
            Downcalls.withErrno("fgetxattr", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction fsetxattr =
            Downcalls.withErrno("fsetxattr", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction syscall = Downcalls.variadicWithErrno(
            "syscall", returnsLong(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), 1);
    private static final MethodHandle close = Downcalls.plain("close", returnsInt(JAVA_INT));

    private final long captureAddress;
    private boolean closed;

    /** Creates an instance with its own errno buffer. */
    public LibCFiles() {
        long address = LibC.calloc(1, ErrnoFunction.ERRNO_BYTES);
        if (address == 0) {
            throw new OutOfMemoryError("calloc refused " + ErrnoFunction.ERRNO_BYTES + " bytes for errno");
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
        return (int) result(syscall.call(
                captureAddress, FileConstants.SYS_openat2, directoryFd, pathAddress, howAddress, OpenHow.BYTES));
    }

    /** Calls openat(2); returns a new descriptor, owned by the caller. */
    public int openat(int directoryFd, long pathAddress, int flags, int mode) {
        return intResult(openat.call(captureAddress, directoryFd, pathAddress, flags, mode));
    }

    /** Calls mkdirat(2). */
    public int mkdirat(int directoryFd, long pathAddress, int mode) {
        return intResult(mkdirat.call(captureAddress, directoryFd, pathAddress, mode));
    }

    /** Calls unlinkat(2). */
    public int unlinkat(int directoryFd, long pathAddress, int flags) {
        return intResult(unlinkat.call(captureAddress, directoryFd, pathAddress, flags));
    }

    /** Calls renameat2(2). */
    public int renameat2(int fromFd, long fromPathAddress, int toFd, long toPathAddress, int flags) {
        return intResult(renameat2.call(captureAddress, fromFd, fromPathAddress, toFd, toPathAddress, flags));
    }

    /** Calls symlinkat(2). */
    public int symlinkat(long targetAddress, int directoryFd, long pathAddress) {
        return intResult(symlinkat.call(captureAddress, targetAddress, directoryFd, pathAddress));
    }

    /** Calls readlinkat(2); returns the bytes of the link's target. */
    public long readlinkat(int directoryFd, long pathAddress, long bufferAddress, long length) {
        return result(readlinkat.call(captureAddress, directoryFd, pathAddress, bufferAddress, length));
    }

    /** Calls statx(2); fills a {@link Statx}. */
    public int statx(int directoryFd, long pathAddress, int flags, int mask, long statxAddress) {
        return intResult(statx.call(captureAddress, directoryFd, pathAddress, flags, mask, statxAddress));
    }

    /** Calls utimensat(2) with two {@link Timespec}: access and modification. */
    public int utimensat(int directoryFd, long pathAddress, long timesAddress, int flags) {
        return intResult(utimensat.call(captureAddress, directoryFd, pathAddress, timesAddress, flags));
    }

    /** Calls fchmod(2). */
    public int fchmod(int fd, int mode) {
        return intResult(fchmod.call(captureAddress, fd, mode));
    }

    /** Calls ftruncate(2). */
    public int ftruncate(int fd, long length) {
        return intResult(ftruncate.call(captureAddress, fd, length));
    }

    /** Calls fallocate(2). */
    public int fallocate(int fd, int mode, long offset, long length) {
        return intResult(fallocate.call(captureAddress, fd, mode, offset, length));
    }

    /** Calls fsync(2). */
    public int fsync(int fd) {
        return intResult(fsync.call(captureAddress, fd));
    }

    /** Calls flock(2). */
    public int flock(int fd, int operation) {
        return intResult(flock.call(captureAddress, fd, operation));
    }

    /** Calls lseek(2); returns the new offset. */
    public long lseek(int fd, long offset, int whence) {
        return result(lseek.call(captureAddress, fd, offset, whence));
    }

    /** Calls preadv(2) into {@link IoVec}s; returns the bytes read, 0 at the end of the file. */
    public long preadv(int fd, long iovecsAddress, int count, long offset) {
        return result(preadv.call(captureAddress, fd, iovecsAddress, count, offset));
    }

    /** Calls pwritev(2) from {@link IoVec}s; returns the bytes written. */
    public long pwritev(int fd, long iovecsAddress, int count, long offset) {
        return result(pwritev.call(captureAddress, fd, iovecsAddress, count, offset));
    }

    /** Calls futimens(3) with two {@link Timespec}: access and modification. */
    public int futimens(int fd, long timesAddress) {
        return intResult(futimens.call(captureAddress, fd, timesAddress));
    }

    /** Calls getdents64(2); fills {@link DirectoryEntry} records and returns their bytes, 0 at the end. */
    public long getdents64(int fd, long bufferAddress, long length) {
        return result(getdents64.call(captureAddress, fd, bufferAddress, length));
    }

    /** Calls flistxattr(2); returns the bytes of the names, each ended by NUL. */
    public long flistxattr(int fd, long bufferAddress, long length) {
        return result(flistxattr.call(captureAddress, fd, bufferAddress, length));
    }

    /** Calls fgetxattr(2); returns the bytes of the value. */
    public long fgetxattr(int fd, long nameAddress, long bufferAddress, long length) {
        return result(fgetxattr.call(captureAddress, fd, nameAddress, bufferAddress, length));
    }

    /** Calls fsetxattr(2). */
    public int fsetxattr(int fd, long nameAddress, long valueAddress, long length, int flags) {
        return intResult(fsetxattr.call(captureAddress, fd, nameAddress, valueAddress, length, flags));
    }

    private int intResult(long returned) {
        int low = (int) returned; // the upper half of the register is undefined for a C int
        return (int) result(low);
    }

    private long result(long returned) {
        return returned == -1 ? -Downcalls.errno(captureAddress) : returned;
    }
}
