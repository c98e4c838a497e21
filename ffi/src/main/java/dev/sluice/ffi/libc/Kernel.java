package dev.sluice.ffi.libc;

/**
 * What event loops ask of the kernel. {@link LibC} asks the one that runs; tests have one in memory, which does on a seed's
 * word what the real one does once in a million times.
 *
 * <p>Every call returns at least 0, or the negated {@link Errno}: no exceptions, nothing allocated. Addresses are native
 * and belong to the caller. An instance is confined to one thread at a time, {@link #signal} excepted.
 */
public interface Kernel extends AutoCloseable {
    /** socket(2): a new descriptor, owned by the caller. */
    int socket(int domain, int type, int protocol);

    /** bind(2). */
    int bind(int fd, long address, int length);

    /** listen(2). */
    int listen(int fd, int backlog);

    /** accept4(2): a new descriptor, owned by the caller; both addresses may be 0. */
    int accept4(int fd, long address, long lengthAddress, int flags);

    /** connect(2). */
    int connect(int fd, long address, int length);

    /** shutdown(2). */
    int shutdown(int fd, int how);

    /** close(2): the descriptor is gone, whatever is returned. */
    int close(int fd);

    /** fcntl(2) with an integer argument; -ENOSYS from a kernel that nobody asks for it. */
    default int fcntl(int fd, int command, int argument) {
        return -Errno.ENOSYS;
    }

    /** setsockopt(2). */
    int setsockopt(int fd, int level, int name, long valueAddress, int length);

    /** getsockopt(2). */
    int getsockopt(int fd, int level, int name, long valueAddress, long lengthAddress);

    /** getsockname(2). */
    int getsockname(int fd, long address, long lengthAddress);

    /** getpeername(2). */
    int getpeername(int fd, long address, long lengthAddress);

    /** recv(2): bytes received, 0 at the end of the stream. */
    long recv(int fd, long address, long length, int flags);

    /** send(2): bytes taken. */
    long send(int fd, long address, long length, int flags);

    /** epoll_create1(2): a new descriptor, owned by the caller. */
    int epollCreate(int flags);

    /** epoll_ctl(2). */
    int epollControl(int epollFd, int operation, int fd, long eventAddress);

    /** epoll_wait(2): how many events there are. */
    int epollWait(int epollFd, long eventsAddress, int maxEvents, int timeoutMillis);

    /** eventfd(2): a new descriptor, owned by the caller. */
    int eventfd(int initialValue, int flags);

    /** mmap(2): the address; memory that the caller owns and unmaps. */
    long mmap(long address, long length, int protection, int flags, int fd, long offset);

    /** munmap(2). */
    int munmap(long address, long length);

    /** syscall(2), for what the C library has no function for. */
    long syscall(long number, long a, long b, long c, long d, long e, long f);

    /**
     * eventfd_write(3) of 1: wakes whoever waits for the eventfd. May be called from any thread.
     *
     * @return whether the kernel took it
     */
    boolean signal(int fd);

    /** A clock that only goes forward, in nanoseconds from an arbitrary start. */
    default long nanoTime() {
        return System.nanoTime();
    }

    /** Frees what the instance itself holds; no call may follow. */
    @Override
    void close();
}
