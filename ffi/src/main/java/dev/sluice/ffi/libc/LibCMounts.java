package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static dev.sluice.ffi.libc.Downcalls.returnsLong;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.ffi.internal.ErrnoFunction;

/**
 * System calls on file systems and their mounts, and those that serve the FUSE device. Every call returns the C result
 * when it is at least 0, else the negated {@link Errno}. Addresses are native and belong to the caller; strings end
 * with NUL.
 *
 * <p>An instance owns the buffer for errno, so it is confined to one thread at a time.
 */
public final class LibCMounts implements AutoCloseable {
    private static final ErrnoFunction mount =
            Downcalls.withErrno("mount", returnsInt(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction umount2 = Downcalls.withErrno("umount2", returnsInt(JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction fstatfs = Downcalls.withErrno("fstatfs", returnsInt(JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction fchmodat =
            Downcalls.withErrno("fchmodat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final ErrnoFunction fremovexattr =
            Downcalls.withErrno("fremovexattr", returnsInt(JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction poll = Downcalls.withErrno("poll", returnsInt(JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction read = Downcalls.withErrno("read", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction writev =
            Downcalls.withErrno("writev", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));

    private final long captureAddress;
    private boolean closed;

    /** Creates an instance with its own errno buffer. */
    public LibCMounts() {
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

    /** Calls mount(2). */
    public int mount(long sourceAddress, long targetAddress, long typeAddress, long flags, long dataAddress) {
        return intResult(mount.call(captureAddress, sourceAddress, targetAddress, typeAddress, flags, dataAddress));
    }

    /** Calls umount2(2). */
    public int umount2(long targetAddress, int flags) {
        return intResult(umount2.call(captureAddress, targetAddress, flags));
    }

    /** Calls fstatfs(2); fills a {@link Statfs}. */
    public int fstatfs(int fd, long statfsAddress) {
        return intResult(fstatfs.call(captureAddress, fd, statfsAddress));
    }

    /** Calls fchmodat(3). */
    public int fchmodat(int directoryFd, long pathAddress, int mode, int flags) {
        return intResult(fchmodat.call(captureAddress, directoryFd, pathAddress, mode, flags));
    }

    /** Calls fremovexattr(2). */
    public int fremovexattr(int fd, long nameAddress) {
        return intResult(fremovexattr.call(captureAddress, fd, nameAddress));
    }

    /** Calls poll(2) on {@link PollFd}s; returns the number of ready ones, 0 after the time. */
    public int poll(long fdsAddress, int count, int timeoutMillis) {
        return intResult(poll.call(captureAddress, fdsAddress, count, timeoutMillis));
    }

    /** Calls read(2). */
    public long read(int fd, long address, long length) {
        return result(read.call(captureAddress, fd, address, length));
    }

    /** Calls writev(2) from {@link IoVec}s. */
    public long writev(int fd, long iovecsAddress, int count) {
        return result(writev.call(captureAddress, fd, iovecsAddress, count));
    }

    private int intResult(long returned) {
        int narrow = (int) returned;
        return (int) result(narrow);
    }

    private long result(long returned) {
        return returned == -1 ? -Downcalls.errno(captureAddress) : returned;
    }
}
