package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static dev.sluice.ffi.libc.Downcalls.returnsLong;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * System calls on file systems and their mounts, and those that serve the FUSE device. Every call returns the C result
 * when it is at least 0, else the negated {@link Errno}. Addresses are native and belong to the caller; strings end
 * with NUL.
 *
 * <p>An instance owns the buffer for errno, so it is confined to one thread at a time.
 */
public final class LibCMounts implements AutoCloseable {
    private static final MethodHandle mount =
            Downcalls.withErrno("mount", returnsInt(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle umount2 = Downcalls.withErrno("umount2", returnsInt(JAVA_LONG, JAVA_INT));
    private static final MethodHandle fstatfs = Downcalls.withErrno("fstatfs", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle fchmodat =
            Downcalls.withErrno("fchmodat", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle fremovexattr =
            Downcalls.withErrno("fremovexattr", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle poll = Downcalls.withErrno("poll", returnsInt(JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle read = Downcalls.withErrno("read", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle writev =
            Downcalls.withErrno("writev", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));

    private final long captureAddress;
    private boolean closed;

    /** Creates an instance with its own errno buffer. */
    public LibCMounts() {
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

    /** Calls mount(2). */
    public int mount(long sourceAddress, long targetAddress, long typeAddress, long flags, long dataAddress) {
        try {
            return intResult((long) mount.invokeExact(
                    Downcalls.capture(captureAddress), sourceAddress, targetAddress, typeAddress, flags, dataAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls umount2(2). */
    public int umount2(long targetAddress, int flags) {
        try {
            return intResult(
                    (long) umount2.invokeExact(Downcalls.capture(captureAddress), targetAddress, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fstatfs(2); fills a {@link Statfs}. */
    public int fstatfs(int fd, long statfsAddress) {
        try {
            return intResult((long) fstatfs.invokeExact(Downcalls.capture(captureAddress), (long) fd, statfsAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fchmodat(3). */
    public int fchmodat(int directoryFd, long pathAddress, int mode, int flags) {
        try {
            return intResult((long) fchmodat.invokeExact(
                    Downcalls.capture(captureAddress), (long) directoryFd, pathAddress, (long) mode, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls fremovexattr(2). */
    public int fremovexattr(int fd, long nameAddress) {
        try {
            return intResult(
                    (long) fremovexattr.invokeExact(Downcalls.capture(captureAddress), (long) fd, nameAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls poll(2) on {@link PollFd}s; returns the number of ready ones, 0 after the time. */
    public int poll(long fdsAddress, int count, int timeoutMillis) {
        try {
            return intResult((long) poll.invokeExact(
                    Downcalls.capture(captureAddress), fdsAddress, (long) count, (long) timeoutMillis));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls read(2). */
    public long read(int fd, long address, long length) {
        try {
            return result((long) read.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls writev(2) from {@link IoVec}s. */
    public long writev(int fd, long iovecsAddress, int count) {
        try {
            return result((long)
                    writev.invokeExact(Downcalls.capture(captureAddress), (long) fd, iovecsAddress, (long) count));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    private int intResult(long returned) {
        int narrow = (int) returned;
        return (int) result(narrow);
    }

    private long result(long returned) {
        return returned == -1 ? -(int) Downcalls.ERRNO_IN.get(Downcalls.capture(captureAddress), 0L) : returned;
    }
}
