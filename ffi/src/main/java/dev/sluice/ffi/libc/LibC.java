package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static dev.sluice.ffi.libc.Downcalls.returnsLong;
import static dev.sluice.ffi.libc.Downcalls.returnsNothing;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * System calls of the running kernel through the C library. Every call returns the C result when it is at least 0, else
 * the negated {@link Errno}.
 *
 * <p>An instance owns the buffer for errno, so it is confined to one thread at a time: each event loop creates its own
 * and closes it. {@link #signal} and the static functions need no errno and may be called from any thread.
 */
public final class LibC implements Kernel {
    private static final MethodHandle socket = Downcalls.withErrno("socket", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle socketpair =
            Downcalls.withErrno("socketpair", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle bind = Downcalls.withErrno("bind", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle listen = Downcalls.withErrno("listen", returnsInt(JAVA_INT, JAVA_INT));
    private static final MethodHandle accept4 =
            Downcalls.withErrno("accept4", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle connect =
            Downcalls.withErrno("connect", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle shutdown = Downcalls.withErrno("shutdown", returnsInt(JAVA_INT, JAVA_INT));
    private static final MethodHandle close = Downcalls.withErrno("close", returnsInt(JAVA_INT));
    private static final MethodHandle setsockopt =
            Downcalls.withErrno("setsockopt", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle getsockopt =
            Downcalls.withErrno("getsockopt", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle getsockname =
            Downcalls.withErrno("getsockname", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle getpeername =
            Downcalls.withErrno("getpeername", returnsInt(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle recv =
            Downcalls.withErrno("recv", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle send =
            Downcalls.withErrno("send", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle sendmsg =
            Downcalls.withErrno("sendmsg", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle recvmsg =
            Downcalls.withErrno("recvmsg", returnsLong(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle read = Downcalls.withErrno("read", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle write = Downcalls.withErrno("write", returnsLong(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle epoll_create1 = Downcalls.withErrno("epoll_create1", returnsInt(JAVA_INT));
    private static final MethodHandle epoll_ctl =
            Downcalls.withErrno("epoll_ctl", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle epoll_wait =
            Downcalls.withErrno("epoll_wait", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle eventfd = Downcalls.withErrno("eventfd", returnsInt(JAVA_INT, JAVA_INT));
    private static final MethodHandle fcntl =
            Downcalls.variadicWithErrno("fcntl", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT), 2);
    private static final MethodHandle mmap =
            Downcalls.withErrno("mmap", returnsLong(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle munmap = Downcalls.withErrno("munmap", returnsInt(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle getrlimit = Downcalls.withErrno("getrlimit", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle setrlimit = Downcalls.withErrno("setrlimit", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle syscall = Downcalls.variadicWithErrno(
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
        long address = calloc(1, Downcalls.CAPTURE_BYTES);
        if (address == 0) {
            throw new OutOfMemoryError("calloc refused " + Downcalls.CAPTURE_BYTES + " bytes for errno");
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
        try {
            return result((int) (long)
                    socket.invokeExact(Downcalls.capture(captureAddress), (long) domain, (long) type, (long) protocol));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls socketpair(2); writes two new descriptors, owned by the caller, to the address as two 32-bit numbers. */
    public int socketpair(int domain, int type, int protocol, long pairAddress) {
        try {
            return result((int) (long) socketpair.invokeExact(
                    Downcalls.capture(captureAddress), (long) domain, (long) type, (long) protocol, pairAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int bind(int fd, long address, int length) {
        try {
            return result((int)
                    (long) bind.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, (long) length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int listen(int fd, int backlog) {
        try {
            return result(
                    (int) (long) listen.invokeExact(Downcalls.capture(captureAddress), (long) fd, (long) backlog));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        try {
            return result((int) (long) accept4.invokeExact(
                    Downcalls.capture(captureAddress), (long) fd, address, lengthAddress, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int connect(int fd, long address, int length) {
        try {
            return result((int)
                    (long) connect.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, (long) length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int shutdown(int fd, int how) {
        try {
            return result((int) (long) shutdown.invokeExact(Downcalls.capture(captureAddress), (long) fd, (long) how));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int close(int fd) {
        try {
            return result((int) (long) close.invokeExact(Downcalls.capture(captureAddress), (long) fd));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int setsockopt(int fd, int level, int name, long valueAddress, int length) {
        try {
            return result((int) (long) setsockopt.invokeExact(
                    Downcalls.capture(captureAddress), (long) fd, (long) level, (long) name, valueAddress, (long)
                            length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int getsockopt(int fd, int level, int name, long valueAddress, long lengthAddress) {
        try {
            return result((int) (long) getsockopt.invokeExact(
                    Downcalls.capture(captureAddress),
                    (long) fd,
                    (long) level,
                    (long) name,
                    valueAddress,
                    lengthAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int getsockname(int fd, long address, long lengthAddress) {
        try {
            return result((int) (long)
                    getsockname.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, lengthAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int getpeername(int fd, long address, long lengthAddress) {
        try {
            return result((int) (long)
                    getpeername.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, lengthAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public long recv(int fd, long address, long length, int flags) {
        try {
            return result((long)
                    recv.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, length, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public long send(int fd, long address, long length, int flags) {
        try {
            return result((long)
                    send.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, length, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls sendmsg(2); returns the bytes accepted from a {@link MessageHeader}. */
    public long sendmsg(int fd, long messageAddress, int flags) {
        try {
            return result((long)
                    sendmsg.invokeExact(Downcalls.capture(captureAddress), (long) fd, messageAddress, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls recvmsg(2); returns the bytes received into a {@link MessageHeader}, 0 at the end of the stream. */
    public long recvmsg(int fd, long messageAddress, int flags) {
        try {
            return result((long)
                    recvmsg.invokeExact(Downcalls.capture(captureAddress), (long) fd, messageAddress, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls read(2); returns the bytes read. */
    public long read(int fd, long address, long length) {
        try {
            return result((long) read.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls write(2); returns the bytes written. */
    public long write(int fd, long address, long length) {
        try {
            return result((long) write.invokeExact(Downcalls.capture(captureAddress), (long) fd, address, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int epollCreate(int flags) {
        try {
            return result((int) (long) epoll_create1.invokeExact(Downcalls.capture(captureAddress), (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int epollControl(int epollFd, int operation, int fd, long eventAddress) {
        try {
            return result((int) (long) epoll_ctl.invokeExact(
                    Downcalls.capture(captureAddress), (long) epollFd, (long) operation, (long) fd, eventAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int epollWait(int epollFd, long eventsAddress, int maxEvents, int timeoutMillis) {
        try {
            return result((int) (long) epoll_wait.invokeExact(
                    Downcalls.capture(captureAddress), (long) epollFd, eventsAddress, (long) maxEvents, (long)
                            timeoutMillis));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        try {
            return result((int)
                    (long) eventfd.invokeExact(Downcalls.capture(captureAddress), (long) initialValue, (long) flags));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        try {
            return result((int) (long)
                    fcntl.invokeExact(Downcalls.capture(captureAddress), (long) fd, (long) command, (long) argument));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        try {
            return result((long) mmap.invokeExact(
                    Downcalls.capture(captureAddress),
                    address,
                    length,
                    (long) protection,
                    (long) flags,
                    (long) fd,
                    offset));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public int munmap(long address, long length) {
        try {
            return result((int) (long) munmap.invokeExact(Downcalls.capture(captureAddress), address, length));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls getrlimit(2); see {@link ResourceLimit}. */
    public int getrlimit(int resource, long limitsAddress) {
        try {
            return result((int)
                    (long) getrlimit.invokeExact(Downcalls.capture(captureAddress), (long) resource, limitsAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Calls setrlimit(2); see {@link ResourceLimit}. */
    public int setrlimit(int resource, long limitsAddress) {
        try {
            return result((int)
                    (long) setrlimit.invokeExact(Downcalls.capture(captureAddress), (long) resource, limitsAddress));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    @Override
    public long syscall(long number, long a, long b, long c, long d, long e, long f) {
        try {
            return result((long) syscall.invokeExact(Downcalls.capture(captureAddress), number, a, b, c, d, e, f));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
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
        return returned == -1 ? -(int) Downcalls.ERRNO_IN.get(Downcalls.capture(captureAddress), 0L) : returned;
    }

    private long result(long returned) {
        return returned == -1 ? -(int) Downcalls.ERRNO_IN.get(Downcalls.capture(captureAddress), 0L) : returned;
    }
}
