package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.Linger;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.net.ListenException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sockets of one loop: making, naming, options. Owns a little scratch memory for arguments and is confined to the
 * loop's thread.
 *
 * <pre>
 *   scratch:  0                      128             136
 *             +----------------------+---------------+
 *             |   address or value   | length, 4 B   |
 *             +----------------------+---------------+
 * </pre>
 */
final class Sockets implements AutoCloseable {
    private static final int LENGTH_OFFSET = SockAddr.MAX_BYTES;
    private static final int SCRATCH_BYTES = LENGTH_OFFSET + 8;

    /** Most seconds that the kernel takes, MAX_TCP_KEEPIDLE of net/tcp.h. */
    private static final int KEEP_IDLE_SECONDS_MAX = 32_767;

    private static final int KEEP_PROBES = 3;

    private final Kernel kernel;
    private final NativeAllocator allocator;
    private final MemorySegment scratch;
    private final long address;

    Sockets(Kernel kernel, NativeAllocator allocator) {
        this.kernel = kernel;
        this.allocator = allocator;
        this.scratch = allocator.allocate(SCRATCH_BYTES, 8);
        this.address = scratch.address();
    }

    /** Returns the kernel that these are sockets of. */
    Kernel kernel() {
        return kernel;
    }

    /**
     * Opens a listening socket.
     *
     * @param flags SOCK_NONBLOCK or 0
     * @return the descriptor, the caller's
     * @throws ListenException with address, cause and remedy
     */
    int listen(SocketAddress where, int backlog, int flags) {
        if (!(where instanceof InetSocketAddress)) {
            throw new ListenException("cannot listen on " + where + ": not an IP address and port");
        }
        int fd = kernel.socket(familyOf(where), Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC | flags, 0);
        check(where, "socket", fd);
        try {
            bindAndListen(fd, where, backlog);
            return fd;
        } catch (ListenException e) {
            kernel.close(fd);
            throw e;
        }
    }

    private void bindAndListen(int fd, SocketAddress where, int backlog) {
        check(where, "SO_REUSEADDR", setFlag(fd, Constants.SOL_SOCKET, Constants.SO_REUSEADDR));
        check(where, "SO_REUSEPORT", setFlag(fd, Constants.SOL_SOCKET, Constants.SO_REUSEPORT));
        // Accepted sockets inherit it from the listener: one call instead of one for each connection.
        check(where, "TCP_NODELAY", setNoDelay(fd));
        check(where, "bind", kernel.bind(fd, address, SockAddr.encode(where, address)));
        check(where, "listen", kernel.listen(fd, backlog));
    }

    /**
     * Makes a socket that listens already one for this loop; it is closed when it cannot be.
     *
     * @param flags SOCK_NONBLOCK or 0
     * @return its address
     * @throws ListenException with descriptor, cause and remedy
     */
    SocketAddress adopt(int fd, int flags) {
        RawMemory.putInt(address + LENGTH_OFFSET, Integer.BYTES);
        int result =
                kernel.getsockopt(fd, Constants.SOL_SOCKET, Constants.SO_ACCEPTCONN, address, address + LENGTH_OFFSET);
        boolean listens = result == 0 && RawMemory.getInt(address) != 0;
        SocketAddress bound = listens ? localAddress(fd) : null;
        if (!(bound instanceof InetSocketAddress)) {
            kernel.close(fd);
            throw new ListenException("descriptor " + fd + " is no TCP socket that listens ("
                    + (result < 0 ? Errno.describe(result) : "bound to " + bound)
                    + "); pass one on, such as systemd's ListenStream=8443");
        }
        int before = kernel.fcntl(fd, Constants.F_GETFL, 0);
        int wanted = (before & ~Constants.O_NONBLOCK) | (flags == 0 ? 0 : Constants.O_NONBLOCK);
        if (before != wanted) {
            kernel.fcntl(fd, Constants.F_SETFL, wanted);
        }
        setNoDelay(fd);
        return bound;
    }

    private static void check(SocketAddress where, String step, int result) {
        if (result < 0) {
            throw refusal(where, step, result);
        }
    }

    private static int familyOf(SocketAddress where) {
        try {
            return SockAddr.family(where);
        } catch (IllegalArgumentException e) {
            throw new ListenException("cannot listen on " + where + ": " + e.getMessage());
        }
    }

    private static ListenException refusal(SocketAddress where, String step, int errno) {
        String remedy = switch (Math.abs(errno)) {
            case Errno.EADDRINUSE ->
                "another program listens there; stop it (ss -ltnp shows it) or choose another port";
            case Errno.EADDRNOTAVAIL -> "no interface of this machine has that address; check it with: ip address";
            case Errno.EACCES -> "ports below net.ipv4.ip_unprivileged_port_start need CAP_NET_BIND_SERVICE";
            case Errno.EMFILE, Errno.ENFILE -> "raise RLIMIT_NOFILE (ulimit -n)";
            default -> "see " + step + "(2)";
        };
        return new ListenException(
                "cannot listen on " + where + ": " + step + ": " + Errno.describe(errno) + "; " + remedy,
                reason(errno));
    }

    private static ListenException.Reason reason(int errno) {
        return switch (Math.abs(errno)) {
            case Errno.EADDRINUSE -> ListenException.Reason.IN_USE;
            case Errno.EADDRNOTAVAIL -> ListenException.Reason.NO_SUCH_ADDRESS;
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.ENOBUFS -> ListenException.Reason.RESOURCES;
            default -> ListenException.Reason.OTHER;
        };
    }

    /** Accepts a connection: a descriptor, the caller's, or -errno. */
    int accept(int fd, int flags) {
        RawMemory.putInt(address + LENGTH_OFFSET, SockAddr.MAX_BYTES);
        return kernel.accept4(fd, address, address + LENGTH_OFFSET, flags);
    }

    /** Returns the peer of the connection that the last {@link #accept} returned; before any other call. */
    SocketAddress acceptedFrom() {
        return SockAddr.decode(address, RawMemory.getInt(address + LENGTH_OFFSET));
    }

    /** Opens a socket that can connect to an address: a descriptor, the caller's, or -errno. */
    int open(SocketAddress peer, int flags) {
        int fd = kernel.socket(SockAddr.family(peer), Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC | flags, 0);
        if (fd >= 0 && peer instanceof InetSocketAddress) {
            setNoDelay(fd);
        }
        return fd;
    }

    /** Begins to connect: 0, or -errno, -EINPROGRESS among them. */
    int connect(int fd, SocketAddress peer) {
        return kernel.connect(fd, address, SockAddr.encode(peer, address));
    }

    /** Returns the error that waits on a socket: 0 or -errno. */
    int pendingError(int fd) {
        RawMemory.putInt(address + LENGTH_OFFSET, Integer.BYTES);
        int result = kernel.getsockopt(fd, Constants.SOL_SOCKET, Constants.SO_ERROR, address, address + LENGTH_OFFSET);
        return result < 0 ? result : -RawMemory.getInt(address);
    }

    /** Returns what a receive of one byte would, and leaves the byte unread; -EAGAIN when there is nothing. */
    int peek(int fd) {
        long result;
        do {
            result = kernel.recv(fd, address, 1, Constants.MSG_PEEK | Constants.MSG_DONTWAIT);
        } while (result == -Errno.EINTR);
        return (int) result;
    }

    /** Returns our end's address; null when the socket has none any more. */
    @Nullable
    SocketAddress localAddress(int fd) {
        RawMemory.putInt(address + LENGTH_OFFSET, SockAddr.MAX_BYTES);
        return name(kernel.getsockname(fd, address, address + LENGTH_OFFSET));
    }

    /** Returns the peer's address; null when it has gone already. */
    @Nullable
    SocketAddress peerAddress(int fd) {
        RawMemory.putInt(address + LENGTH_OFFSET, SockAddr.MAX_BYTES);
        return name(kernel.getpeername(fd, address, address + LENGTH_OFFSET));
    }

    private @Nullable SocketAddress name(int result) {
        return result < 0 ? null : SockAddr.decode(address, RawMemory.getInt(address + LENGTH_OFFSET));
    }

    /** Makes the coming close reset the connection and drop what is queued in the kernel. */
    void resetOnClose(int fd) {
        Linger.setReset(address);
        kernel.setsockopt(fd, Constants.SOL_SOCKET, Constants.SO_LINGER, address, Linger.BYTES);
    }

    /**
     * Sets how the kernel finds out that a peer has gone; for a listening socket that of connections to come, which
     * inherit it.
     *
     * @param idle zero: not at all
     */
    void keepAlive(int fd, Duration idle) {
        int seconds = (int) Math.min(idle.toSeconds(), KEEP_IDLE_SECONDS_MAX);
        setOption(fd, Constants.SOL_SOCKET, Constants.SO_KEEPALIVE, seconds > 0 ? 1 : 0);
        if (seconds > 0) {
            setOption(fd, Constants.IPPROTO_TCP, Constants.TCP_KEEPIDLE, seconds);
            setOption(fd, Constants.IPPROTO_TCP, Constants.TCP_KEEPINTVL, Math.max(1, seconds / KEEP_PROBES));
            setOption(fd, Constants.IPPROTO_TCP, Constants.TCP_KEEPCNT, KEEP_PROBES);
        }
    }

    /** Sends FIN: 0 or -errno. */
    int shutdownOutput(int fd) {
        return kernel.shutdown(fd, Constants.SHUT_WR);
    }

    /** Closes a descriptor that no transport owns. */
    void close(int fd) {
        kernel.close(fd);
    }

    private int setNoDelay(int fd) {
        return setFlag(fd, Constants.IPPROTO_TCP, Constants.TCP_NODELAY);
    }

    private int setFlag(int fd, int level, int option) {
        return setOption(fd, level, option, 1);
    }

    private int setOption(int fd, int level, int option, int value) {
        RawMemory.putInt(address, value);
        return kernel.setsockopt(fd, level, option, address, Integer.BYTES);
    }

    @Override
    public void close() {
        allocator.free(scratch);
    }
}
