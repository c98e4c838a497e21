package dev.sluice.transfer.meet;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.EpollEvent;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Non-blocking sockets and one epoll set that waits for them. Confined to one thread; owns only the set. */
final class MeetSockets implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int ADDRESS_OFFSET = 0;
    private static final int LENGTH_OFFSET = SockAddr.MAX_BYTES;
    private static final int EVENT_OFFSET = LENGTH_OFFSET + Long.BYTES;
    private static final int DATA_OFFSET = EVENT_OFFSET + 16;
    private static final int SCRATCH_BYTES = DATA_OFFSET + RelayRequest.BYTES;
    private static final int KEEPALIVE_IDLE_SECONDS = 30;
    private static final int KEEPALIVE_INTERVAL_SECONDS = 10;
    private static final int KEEPALIVE_PROBES = 3;
    private static final int STREAM = Constants.SOCK_STREAM | Constants.SOCK_NONBLOCK | Constants.SOCK_CLOEXEC;

    private final LibC libc = new LibC();
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
    private final int epoll;

    MeetSockets() throws MeetException {
        int made = libc.epollCreate(Constants.EPOLL_CLOEXEC);
        if (made < 0) {
            allocator.free(scratch);
            libc.close();
            throw machine("no epoll set", made);
        }
        this.epoll = made;
    }

    private static MeetException machine(String event, int result) {
        return new MeetException(
                MeetFailure.MACHINE, event + " (" + Errno.describe(result) + "); raise the limit of open files");
    }

    /** Listens; returns a descriptor that the caller closes. */
    int listen(InetSocketAddress address) throws MeetException {
        int descriptor = stream(address);
        option(descriptor, Constants.SOL_SOCKET, Constants.SO_REUSEADDR, 1);
        int result = libc.bind(descriptor, at(ADDRESS_OFFSET), SockAddr.encode(address, at(ADDRESS_OFFSET)));
        result = result < 0 ? result : libc.listen(descriptor, BACKLOG);
        if (result < 0) {
            libc.close(descriptor);
            throw new MeetException(
                    MeetFailure.ADDRESS,
                    "cannot listen on " + AddressText.of(address) + " (" + Errno.describe(result)
                            + "); choose another address");
        }
        return descriptor;
    }

    /** Returns the address that a socket is bound to. */
    InetSocketAddress localAddress(int descriptor) {
        putInt(LENGTH_OFFSET, SockAddr.MAX_BYTES);
        libc.getsockname(descriptor, at(ADDRESS_OFFSET), at(LENGTH_OFFSET));
        return decoded();
    }

    /** Accepts a connection; returns its descriptor, which the caller closes, or a negated errno when it is gone. */
    int accept(int listening) throws MeetException {
        putInt(LENGTH_OFFSET, SockAddr.MAX_BYTES);
        int flags = Constants.SOCK_NONBLOCK | Constants.SOCK_CLOEXEC;
        int accepted = libc.accept4(listening, at(ADDRESS_OFFSET), at(LENGTH_OFFSET), flags);
        if (accepted == -Errno.EMFILE || accepted == -Errno.ENFILE) {
            throw machine("cannot accept a connection", accepted);
        }
        return accepted;
    }

    /** Returns the peer's address of the last {@link #accept}. */
    InetSocketAddress decoded() {
        return (InetSocketAddress) SockAddr.decode(at(ADDRESS_OFFSET), RawMemory.getInt(at(LENGTH_OFFSET)));
    }

    /** Starts to connect; returns a descriptor that the caller closes, or a negated errno. */
    int connect(InetSocketAddress address) throws MeetException {
        int descriptor = stream(address);
        int result = libc.connect(descriptor, at(ADDRESS_OFFSET), SockAddr.encode(address, at(ADDRESS_OFFSET)));
        if (result < 0 && result != -Errno.EINPROGRESS) {
            libc.close(descriptor);
            return result;
        }
        return descriptor;
    }

    /** Makes the kernel detect within about a minute that the other machine of a socket has vanished. */
    void keepAlive(int descriptor) {
        option(descriptor, Constants.SOL_SOCKET, Constants.SO_KEEPALIVE, 1);
        option(descriptor, Constants.IPPROTO_TCP, Constants.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
        option(descriptor, Constants.IPPROTO_TCP, Constants.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_SECONDS);
        option(descriptor, Constants.IPPROTO_TCP, Constants.TCP_KEEPCNT, KEEPALIVE_PROBES);
    }

    private void option(int descriptor, int level, int name, int value) {
        putInt(DATA_OFFSET, value);
        libc.setsockopt(descriptor, level, name, at(DATA_OFFSET), Integer.BYTES);
    }

    private int stream(InetSocketAddress address) throws MeetException {
        int descriptor = libc.socket(SockAddr.family(address), STREAM, 0);
        if (descriptor < 0) {
            throw machine("no socket", descriptor);
        }
        return descriptor;
    }

    /** Returns 0 for a socket that has connected, or the negated errno with which it failed. */
    int connectResult(int descriptor) {
        putInt(LENGTH_OFFSET, Integer.BYTES);
        libc.getsockopt(descriptor, Constants.SOL_SOCKET, Constants.SO_ERROR, at(DATA_OFFSET), at(LENGTH_OFFSET));
        return -RawMemory.getInt(at(DATA_OFFSET));
    }

    /** Sends bytes, at most as many as a request has, into a fresh socket; returns the bytes that it took. */
    int send(int descriptor, byte[] bytes) {
        RawMemory.copy(bytes, 0, at(DATA_OFFSET), bytes.length);
        return (int) libc.send(descriptor, at(DATA_OFFSET), bytes.length, Constants.MSG_NOSIGNAL);
    }

    /** Receives one byte; returns it, 0 to 255, or a negated errno; -ECONNRESET at the end of the stream. */
    int receiveByte(int descriptor) {
        long count = libc.recv(descriptor, at(DATA_OFFSET), 1, 0);
        if (count == 0) {
            return -Errno.ECONNRESET;
        }
        return count < 0 ? (int) count : RawMemory.getByte(at(DATA_OFFSET)) & 0xFF;
    }

    /** Waits for events of a descriptor, or changes them. */
    void watch(int descriptor, int events) {
        EpollEvent.set(at(EVENT_OFFSET), events, descriptor);
        if (libc.epollControl(epoll, Constants.EPOLL_CTL_ADD, descriptor, at(EVENT_OFFSET)) == -Errno.EEXIST) {
            libc.epollControl(epoll, Constants.EPOLL_CTL_MOD, descriptor, at(EVENT_OFFSET));
        }
    }

    /** Waits no longer for a descriptor, which stays open. */
    void forget(int descriptor) {
        libc.epollControl(epoll, Constants.EPOLL_CTL_DEL, descriptor, at(EVENT_OFFSET));
    }

    /** Waits for a watched descriptor; returns it, or -1 when none is ready in time. */
    int await(Duration limit) {
        int millis = (int)
                Math.min(Integer.MAX_VALUE, Math.max(0, limit.plusNanos(999_999).toMillis()));
        int count = libc.epollWait(epoll, at(EVENT_OFFSET), 1, millis);
        return count > 0 ? (int) EpollEvent.data(at(EVENT_OFFSET)) : -1;
    }

    /** Closes a descriptor. */
    void closeDescriptor(int descriptor) {
        libc.close(descriptor);
    }

    private long at(int offset) {
        return scratch.address() + offset;
    }

    private void putInt(int offset, int value) {
        RawMemory.putInt(at(offset), value);
    }

    @Override
    public void close() {
        libc.close(epoll);
        allocator.free(scratch);
        libc.close();
    }
}
