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

/** A listening TCP socket. Confined to one thread. */
public final class ChannelListener implements AutoCloseable {
    private static final int BACKLOG = 128;

    private final LibC libc = new LibC();
    private final MemorySegment scratch;
    private final int descriptor;
    private final SocketAddress address;

    private ChannelListener(int descriptor, SocketAddress address, MemorySegment scratch) {
        this.descriptor = descriptor;
        this.address = address;
        this.scratch = scratch;
    }

    /**
     * Listens on an address.
     *
     * @param address resolved; port 0 for any free one
     * @throws ChannelException when the address cannot be used
     */
    public static ChannelListener open(SocketAddress address) throws ChannelException {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment scratch = allocator.allocate(SockAddr.MAX_BYTES + Long.BYTES, Long.BYTES);
        try (LibC libc = new LibC()) {
            int type = Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC;
            int descriptor = libc.socket(SockAddr.family(address), type, 0);
            try {
                int result = descriptor < 0 ? descriptor : listen(libc, descriptor, address, scratch.address());
                if (result < 0) {
                    throw new ChannelException(
                            ChannelFailure.MACHINE,
                            "cannot listen on " + address + " (" + Errno.describe(result) + "); use another address");
                }
                return new ChannelListener(descriptor, name(libc, descriptor, scratch.address()), scratch);
            } catch (ChannelException e) {
                libc.close(descriptor);
                allocator.free(scratch);
                throw e;
            }
        }
    }

    private static int listen(LibC libc, int descriptor, SocketAddress address, long scratch) {
        RawMemory.putInt(scratch, 1);
        libc.setsockopt(descriptor, Constants.SOL_SOCKET, Constants.SO_REUSEADDR, scratch, Integer.BYTES);
        int result = libc.bind(descriptor, scratch, SockAddr.encode(address, scratch));
        return result < 0 ? result : libc.listen(descriptor, BACKLOG);
    }

    private static SocketAddress name(LibC libc, int descriptor, long scratch) {
        long length = scratch + SockAddr.MAX_BYTES;
        RawMemory.putInt(length, SockAddr.MAX_BYTES);
        libc.getsockname(descriptor, scratch, length);
        return SockAddr.decode(scratch, RawMemory.getInt(length));
    }

    /** Returns the address, with the actual port. */
    public SocketAddress address() {
        return address;
    }

    /**
     * Waits for a connection.
     *
     * @param limit zero for no limit
     * @return the caller closes it, or makes a channel of it
     * @throws ChannelException when none came in time, or this machine has no descriptor left
     */
    public ChannelSocket accept(Duration limit) throws ChannelException {
        ChannelSocket.timeLimit(libc, descriptor, Constants.SO_RCVTIMEO, limit, scratch.address());
        while (true) {
            int accepted = libc.accept4(descriptor, 0, 0, Constants.SOCK_CLOEXEC);
            if (accepted >= 0) {
                return ChannelSocket.of(accepted);
            }
            if (accepted == -Errno.EAGAIN) {
                throw new ChannelException(
                        ChannelFailure.TIMED_OUT,
                        "nobody connected to " + address + "; check the address and firewalls");
            }
            if (accepted != -Errno.EINTR && accepted != -Errno.ECONNABORTED) {
                throw new ChannelException(
                        ChannelFailure.MACHINE,
                        "cannot accept on " + address + " (" + Errno.describe(accepted) + "); raise the limit");
            }
        }
    }

    @Override
    public void close() {
        libc.close(descriptor);
        libc.close();
        new MallocAllocator().free(scratch);
    }
}
