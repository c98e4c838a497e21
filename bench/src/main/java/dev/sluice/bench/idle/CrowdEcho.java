package dev.sluice.bench.idle;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.EpollEvent;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** An echo of small messages without state per connection, on one thread. It serves until the process ends. */
final class CrowdEcho {
    private static final int BACKLOG = 4096;
    private static final int EVENTS = 256;
    private static final int MESSAGE_BYTES_MAX = 4096;
    private static final int FOREVER = -1;

    private final LibC libc = new LibC();
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment events = allocator.allocate((long) EVENTS * EpollEvent.BYTES, Long.BYTES);
    private final MemorySegment scratch = allocator.allocate(MESSAGE_BYTES_MAX, Long.BYTES);
    private final int epoll = checked("epoll_create1", libc.epollCreate(Constants.EPOLL_CLOEXEC));
    private final int listener;
    private final int port;

    private CrowdEcho() {
        long address = scratch.address();
        listener = checked(
                "socket",
                libc.socket(
                        SockAddr.family(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        Constants.SOCK_STREAM | Constants.SOCK_NONBLOCK,
                        0));
        int length = SockAddr.encode(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), address);
        checked("bind", libc.bind(listener, address, length));
        checked("listen", libc.listen(listener, BACKLOG));
        RawMemory.putInt(address, SockAddr.MAX_BYTES);
        checked("getsockname", libc.getsockname(listener, address + Long.BYTES, address));
        port = ((InetSocketAddress) SockAddr.decode(address + Long.BYTES, RawMemory.getInt(address))).getPort();
        watch(listener);
    }

    /** Starts it on a free port of 127.0.0.1. */
    static CrowdEcho start() {
        CrowdEcho echo = new CrowdEcho();
        Thread.ofPlatform().daemon().name("echo").start(echo::serve);
        return echo;
    }

    /** Returns the port on 127.0.0.1. */
    int port() {
        return port;
    }

    private void serve() {
        while (true) {
            int ready = libc.epollWait(epoll, events.address(), EVENTS, FOREVER);
            for (int i = 0; i < ready; i++) {
                int fd = (int) EpollEvent.data(EpollEvent.at(events.address(), i));
                if (fd == listener) {
                    acceptAll();
                } else {
                    echo(fd);
                }
            }
        }
    }

    private void acceptAll() {
        int fd;
        while ((fd = libc.accept4(listener, 0, 0, Constants.SOCK_NONBLOCK)) >= 0) {
            watch(fd);
        }
        if (fd != -Errno.EAGAIN) {
            System.err.println("echo: accept4: " + Errno.describe(fd));
        }
    }

    private void watch(int fd) {
        EpollEvent.set(scratch.address(), Constants.EPOLLIN, fd);
        checked("epoll_ctl", libc.epollControl(epoll, Constants.EPOLL_CTL_ADD, fd, scratch.address()));
    }

    private void echo(int fd) {
        long count = libc.recv(fd, scratch.address(), MESSAGE_BYTES_MAX, 0);
        if (count == -Errno.EAGAIN) {
            return;
        }
        // A message fits into the empty send buffer.
        if (count <= 0 || libc.send(fd, scratch.address(), count, Constants.MSG_NOSIGNAL) != count) {
            libc.close(fd);
        }
    }

    private static int checked(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(call + ": " + Errno.describe(result));
        }
        return result;
    }
}
