package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static dev.sluice.ffi.libc.Downcalls.returnsLong;
import static dev.sluice.ffi.libc.Downcalls.returnsNothing;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.ffi.internal.ErrnoFunction;
import java.lang.invoke.MethodHandle;

/**
 * System calls of the running kernel through the C library. Every call returns the C result when it is at least 0, else
 * the negated {@link Errno}.
 *
 * <p>An instance owns the buffer for errno, so it is confined to one thread at a time: each event loop creates its own
 * and closes it. {@link #signal} and the static functions need no errno and may be called from any thread.
 */
public final class LibC implements Kernel {
    private static final ErrnoFunction socket = Downcalls.withErrno("socket", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final ErrnoFunction socketpair =
            Downcalls.withErrno("socketpair", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction bind = Downcalls.withErrno("bind", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction listen = Downcalls.withErrno("listen", returnsInt(JAVA_INT, JAVA_INT));
    private static final ErrnoFunction accept4 =
            Downcalls.withErrno("accept4", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction connect =
            Downcalls.withErrno("connect", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction shutdown = Downcalls.withErrno("shutdown", returnsInt(JAVA_INT, JAVA_INT));
    private static final ErrnoFunction close = Downcalls.withErrno("close", returnsInt(JAVA_INT));
    private static final ErrnoFunction setsockopt =
            Downcalls.withErrno("setsockopt", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction getsockopt =
            Downcalls.withErrno("getsockopt", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction getsockname =
            Downcalls.withErrno("getsockname", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction getpeername =
            Downcalls.withErrno("getpeername", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction recv =
            Downcalls.withErrno("recv", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction send =
            Downcalls.withErrno("send", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction sendmsg =
            Downcalls.withErrno("sendmsg", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction recvmsg =
            Downcalls.withErrno("recvmsg", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction read = Downcalls.withErrno("read", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction write =
            Downcalls.withErrno("write", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction epoll_create1 = Downcalls.withErrno("epoll_create1", returnsInt(JAVA_INT));
    private static final ErrnoFunction epoll_ctl =
            Downcalls.withErrno("epoll_ctl", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction epoll_wait =
            Downcalls.withErrno("epoll_wait", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final ErrnoFunction eventfd = Downcalls.withErrno("eventfd", returnsInt(JAVA_INT, JAVA_INT));
    private static final ErrnoFunction fcntl =
            Downcalls.variadicWithErrno("fcntl", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT), 2);
    private static final ErrnoFunction mmap =
            Downcalls.withErrno("mmap", returnsLong(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction munmap = Downcalls.withErrno("munmap", returnsInt(JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction getrlimit = Downcalls.withErrno("getrlimit", returnsInt(JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction setrlimit = Downcalls.withErrno("setrlimit", returnsInt(JAVA_INT, JAVA_LONG));
    private static final ErrnoFunction syscall = Downcalls.variadicWithErrno(
            "syscall", returnsLong(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), 1);
    private static final MethodHandle eventfd_write = Downcalls.plain("eventfd_write", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle calloc = Downcalls.plain("calloc", returnsLong(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle aligned_alloc =
            Downcalls.plain("aligned_alloc", returnsLong(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle free = Downcalls.plain("free", returnsNothing(JAVA_LONG));

    private final long captureAddress;
    private boolean closed;

    /** Creates an instance with its own errno buffer. */
    public LibC() {
        long address = calloc(1, ErrnoFunction.ERRNO_BYTES);
        if (address == 0) {
            throw new OutOfMemoryError("calloc refused " + ErrnoFunction.ERRNO_BYTES + " bytes for errno");
        }
        this.captureAddress = address;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            free(captureAddress);
        }
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return result((int) socket.call(captureAddress, domain, type, protocol));
    }

    /** Calls socketpair(2); writes two new descriptors, owned by the caller, to the address as two 32-bit numbers. */
    public int socketpair(int domain, int type, int protocol, long pairAddress) {
        return result((int) socketpair.call(captureAddress, domain, type, protocol, pairAddress));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return result((int) bind.call(captureAddress, fd, address, length));
    }

    @Override
    public int listen(int fd, int backlog) {
        return result((int) listen.call(captureAddress, fd, backlog));
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        return result((int) accept4.call(captureAddress, fd, address, lengthAddress, flags));
    }

    @Override
    public int connect(int fd, long address, int length) {
        return result((int) connect.call(captureAddress, fd, address, length));
    }

    @Override
    public int shutdown(int fd, int how) {
        return result((int) shutdown.call(captureAddress, fd, how));
    }

    @Override
    public int close(int fd) {
        return result((int) close.call(captureAddress, fd));
    }

    @Override
    public int setsockopt(int fd, int level, int name, long valueAddress, int length) {
        return result((int) setsockopt.call(captureAddress, fd, level, name, valueAddress, length));
    }

    @Override
    public int getsockopt(int fd, int level, int name, long valueAddress, long lengthAddress) {
        return result((int) getsockopt.call(captureAddress, fd, level, name, valueAddress, lengthAddress));
    }

    @Override
    public int getsockname(int fd, long address, long lengthAddress) {
        return result((int) getsockname.call(captureAddress, fd, address, lengthAddress));
    }

    @Override
    public int getpeername(int fd, long address, long lengthAddress) {
        return result((int) getpeername.call(captureAddress, fd, address, lengthAddress));
    }

    @Override
    public long recv(int fd, long address, long length, int flags) {
        return result(recv.call(captureAddress, fd, address, length, flags));
    }

    @Override
    public long send(int fd, long address, long length, int flags) {
        return result(send.call(captureAddress, fd, address, length, flags));
    }

    @Override
    public long sendmsg(int fd, long messageAddress, int flags) {
        return result(sendmsg.call(captureAddress, fd, messageAddress, flags));
    }

    @Override
    public long recvmsg(int fd, long messageAddress, int flags) {
        return result(recvmsg.call(captureAddress, fd, messageAddress, flags));
    }

    /** Calls read(2); returns the bytes read. */
    public long read(int fd, long address, long length) {
        return result(read.call(captureAddress, fd, address, length));
    }

    /** Calls write(2); returns the bytes written. */
    public long write(int fd, long address, long length) {
        return result(write.call(captureAddress, fd, address, length));
    }

    @Override
    public int epollCreate(int flags) {
        return result((int) epoll_create1.call(captureAddress, flags));
    }

    @Override
    public int epollControl(int epollFd, int operation, int fd, long eventAddress) {
        return result((int) epoll_ctl.call(captureAddress, epollFd, operation, fd, eventAddress));
    }

    @Override
    public int epollWait(int epollFd, long eventsAddress, int maxEvents, int timeoutMillis) {
        return result((int) epoll_wait.call(captureAddress, epollFd, eventsAddress, maxEvents, timeoutMillis));
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        return result((int) eventfd.call(captureAddress, initialValue, flags));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return result((int) fcntl.call(captureAddress, fd, command, argument));
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return result(mmap.call(captureAddress, address, length, protection, flags, fd, offset));
    }

    @Override
    public int munmap(long address, long length) {
        return result((int) munmap.call(captureAddress, address, length));
    }

    /** Calls getrlimit(2); see {@link ResourceLimit}. */
    public int getrlimit(int resource, long limitsAddress) {
        return result((int) getrlimit.call(captureAddress, resource, limitsAddress));
    }

    /** Calls setrlimit(2); see {@link ResourceLimit}. */
    public int setrlimit(int resource, long limitsAddress) {
        return result((int) setrlimit.call(captureAddress, resource, limitsAddress));
    }

    @Override
    public long syscall(long number, long a, long b, long c, long d, long e, long f) {
        return result(syscall.call(captureAddress, number, a, b, c, d, e, f));
    }

    @Override
    public boolean signal(int fd) {
        try {
            return (int) (long) eventfd_write.invokeExact((long) fd, 1L) == 0;
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls calloc(3); returns zeroed memory that the caller owns and frees, or 0. */
    public static long calloc(long count, long byteSize) {
        try {
            return (long) calloc.invokeExact(count, byteSize);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls aligned_alloc(3); returns memory with arbitrary contents that the caller owns and frees, or 0. */
    public static long alignedAlloc(long byteAlignment, long byteSize) {
        try {
            return (long) aligned_alloc.invokeExact(byteAlignment, byteSize);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls free(3). */
    public static void free(long address) {
        try {
            long _ = (long) free.invokeExact(address);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    private int result(int returned) {
        return returned == -1 ? -Downcalls.errno(captureAddress) : returned;
    }

    private long result(long returned) {
        return returned == -1 ? -Downcalls.errno(captureAddress) : returned;
    }
}
