package dev.sluice.ffi.libc;

/**
 * The system calls that event loops make. {@link LibC} calls the running kernel; tests use a kernel in memory, which
 * produces rare results on demand.
 *
 * <p>Every call returns at least 0, or the negated {@link Errno}: no exceptions, no allocation. Addresses are native
 * and belong to the caller. An instance is confined to one thread at a time, except {@link #signal}.
 */
public interface Kernel extends AutoCloseable {
    /** Calls socket(2); returns a new descriptor, owned by the caller. */
    int socket(int domain, int type, int protocol);

    /** Calls bind(2). */
    int bind(int fd, long address, int length);

    /** Calls listen(2). */
    int listen(int fd, int backlog);

    /** Calls accept4(2); returns a new descriptor, owned by the caller. Both addresses may be 0. */
    int accept4(int fd, long address, long lengthAddress, int flags);

    /** Calls connect(2). */
    int connect(int fd, long address, int length);

    /** Calls shutdown(2). */
    int shutdown(int fd, int how);

    /** Calls close(2); the descriptor is gone whatever the result. */
    int close(int fd);

    /** Calls fcntl(2) with an integer argument; -ENOSYS from a kernel that does not support it. */
    default int fcntl(int fd, int command, int argument) {
        return -Errno.ENOSYS;
    }

    /** Calls setsockopt(2). */
    int setsockopt(int fd, int level, int name, long valueAddress, int length);

    /** Calls getsockopt(2). */
    int getsockopt(int fd, int level, int name, long valueAddress, long lengthAddress);

    /** Calls getsockname(2). */
    int getsockname(int fd, long address, long lengthAddress);

    /** Calls getpeername(2). */
    int getpeername(int fd, long address, long lengthAddress);

    /** Calls recv(2); returns the bytes received, 0 at the end of the stream. */
    long recv(int fd, long address, long length, int flags);

    /** Calls send(2); returns the bytes accepted. */
    long send(int fd, long address, long length, int flags);

    /**
     * Calls sendmsg(2) with a {@link MessageHeader}; returns the bytes accepted, -ENOSYS from a kernel that does not
     * support it.
     */
    default long sendmsg(int fd, long messageAddress, int flags) {
        return -Errno.ENOSYS;
    }

    /**
     * Calls recvmsg(2) with a {@link MessageHeader}; returns the bytes received, 0 at the end of the stream, -ENOSYS
     * from a kernel that does not support it.
     */
    default long recvmsg(int fd, long messageAddress, int flags) {
        return -Errno.ENOSYS;
    }

    /** Calls epoll_create1(2); returns a new descriptor, owned by the caller. */
    int epollCreate(int flags);

    /** Calls epoll_ctl(2). */
    int epollControl(int epollFd, int operation, int fd, long eventAddress);

    /** Calls epoll_wait(2); returns the number of events. */
    int epollWait(int epollFd, long eventsAddress, int maxEvents, int timeoutMillis);

    /** Calls eventfd(2); returns a new descriptor, owned by the caller. */
    int eventfd(int initialValue, int flags);

    /** Calls mmap(2); returns the address of memory that the caller owns and unmaps. */
    long mmap(long address, long length, int protection, int flags, int fd, long offset);

    /** Calls munmap(2). */
    int munmap(long address, long length);

    /** Calls syscall(2), for calls without a C library function. */
    long syscall(long number, long a, long b, long c, long d, long e, long f);

    /**
     * Calls eventfd_write(3) with 1, which wakes the waiter of the eventfd. May be called from any thread.
     *
     * @return true if the kernel accepted it
     */
    boolean signal(int fd);

    /** Returns a monotonic clock in nanoseconds from an arbitrary origin. */
    default long nanoTime() {
        return System.nanoTime();
    }

    /** Frees the instance's own resources; no call may follow. */
    @Override
    void close();
}
