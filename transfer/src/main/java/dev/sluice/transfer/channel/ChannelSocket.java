package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * A connected, blocking stream socket. Its owner closes it once; a {@link SecureChannel} that is made over it becomes
 * the owner. Only {@link #interrupt} may be called by several threads, also by those that do not own it.
 */
public final class ChannelSocket implements AutoCloseable {
    private static final int TIMEVAL_BYTES = 16; // <sys/time.h>: seconds and microseconds, 64 bits each
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int UNIX_BUFFER_BYTES = 1 << 20;
    private static final int KEEPALIVE_IDLE_SECONDS = 30;
    private static final int KEEPALIVE_INTERVAL_SECONDS = 10;
    private static final int KEEPALIVE_PROBES = 3;

    private final int descriptor;
    private final LibC control = new LibC();
    private boolean closed;

    private ChannelSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Takes ownership of a connected socket, which becomes blocking.
     *
     * @param descriptor a stream socket: TCP or Unix
     */
    public static ChannelSocket of(int descriptor) {
        ChannelSocket socket = new ChannelSocket(descriptor);
        int flags = socket.control.fcntl(descriptor, Constants.F_GETFL, 0);
        socket.control.fcntl(descriptor, Constants.F_SETFL, flags & ~Constants.O_NONBLOCK);
        // Fails on a Unix socket. Its default buffer holds less than a batch, so that both ends would wait in turns.
        if (socket.option(Constants.IPPROTO_TCP, Constants.TCP_NODELAY, 1) < 0) {
            socket.option(Constants.SOL_SOCKET, Constants.SO_SNDBUF, UNIX_BUFFER_BYTES);
            return socket;
        }
        socket.option(Constants.SOL_SOCKET, Constants.SO_KEEPALIVE, 1);
        socket.option(Constants.IPPROTO_TCP, Constants.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
        socket.option(Constants.IPPROTO_TCP, Constants.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_SECONDS);
        socket.option(Constants.IPPROTO_TCP, Constants.TCP_KEEPCNT, KEEPALIVE_PROBES);
        return socket;
    }

    /**
     * Connects to an address.
     *
     * @param address resolved
     * @param limit the most time that it takes
     * @throws ChannelException when it fails
     */
    public static ChannelSocket connect(SocketAddress address, Duration limit) throws ChannelException {
        try (LibC libc = new LibC()) {
            int type = Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC;
            int descriptor = libc.socket(SockAddr.family(address), type, 0);
            if (descriptor < 0) {
                throw new ChannelException(
                        ChannelFailure.MACHINE, "no socket (" + Errno.describe(descriptor) + "); raise the limit");
            }
            ChannelSocket socket = of(descriptor);
            try {
                socket.timeLimits(limit);
                socket.connect(address);
                return socket;
            } catch (ChannelException e) {
                socket.close();
                throw e;
            }
        }
    }

    private void connect(SocketAddress address) throws ChannelException {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment encoded = allocator.allocate(SockAddr.MAX_BYTES, Long.BYTES);
        try {
            int length = SockAddr.encode(address, encoded.address());
            int result = control.connect(descriptor, encoded.address(), length);
            if (result == -Errno.EINPROGRESS) {
                throw new ChannelException(
                        ChannelFailure.TIMED_OUT, "no answer from " + address + "; check address and firewall");
            }
            if (result < 0) {
                throw new ChannelException(
                        ChannelFailure.CONNECTION,
                        "no connection to " + address + " (" + Errno.describe(result)
                                + "); check that the peer runs there");
            }
        } finally {
            allocator.free(encoded);
        }
    }

    /** Returns the descriptor, which the socket keeps. */
    int descriptor() {
        return descriptor;
    }

    /** Sets the most time that a receive, send or connect blocks; zero for no limit. */
    void timeLimits(Duration limit) {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment value = allocator.allocate(TIMEVAL_BYTES, Long.BYTES);
        try {
            timeLimit(control, descriptor, Constants.SO_RCVTIMEO, limit, value.address());
            timeLimit(control, descriptor, Constants.SO_SNDTIMEO, limit, value.address());
        } finally {
            allocator.free(value);
        }
    }

    /**
     * Sets one of the limits.
     *
     * @param value scratch memory for a struct timeval
     */
    static void timeLimit(LibC libc, int descriptor, int name, Duration limit, long value) {
        long micros = limit.isZero() ? 0 : Math.max(1, limit.toNanos() / 1000);
        RawMemory.putLong(value, micros / MICROS_PER_SECOND);
        RawMemory.putLong(value + Long.BYTES, micros % MICROS_PER_SECOND);
        libc.setsockopt(descriptor, Constants.SOL_SOCKET, name, value, TIMEVAL_BYTES);
    }

    private int option(int level, int name, int number) {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment value = allocator.allocate(Integer.BYTES, Integer.BYTES);
        try {
            RawMemory.putInt(value.address(), number);
            return control.setsockopt(descriptor, level, name, value.address(), Integer.BYTES);
        } finally {
            allocator.free(value);
        }
    }

    /** Ends both directions: a thread inside send or receive returns. Idempotent, and nothing after the close. */
    public synchronized void interrupt() {
        if (!closed) {
            control.shutdown(descriptor, Constants.SHUT_RDWR);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            control.close(descriptor);
            control.close();
        }
    }
}
