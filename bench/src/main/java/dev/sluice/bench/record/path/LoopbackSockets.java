package dev.sluice.bench.record.path;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Two connected, non-blocking TCP sockets over loopback, with TCP_NODELAY and the kernel's own buffer sizes. */
final class LoopbackSockets implements AutoCloseable {
    private static final int TYPE = Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC;
    private static final int DISCARD_BYTES = 1024 * 1024;

    private final LibC libc = new LibC();
    private final int near;
    private final int far;

    LoopbackSockets() {
        int listener = Math.toIntExact(check(libc.socket(Constants.AF_INET, TYPE, 0)));
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(SockAddr.MAX_BYTES, Long.BYTES).address();
            long number = arena.allocate(Integer.BYTES, Integer.BYTES).address();
            listen(listener, address, number);
            this.near = Math.toIntExact(check(libc.socket(Constants.AF_INET, TYPE | Constants.SOCK_NONBLOCK, 0)));
            int connected = libc.connect(near, address, SockAddr.IPV4_BYTES);
            RecordPath.require(connected == 0 || connected == -Errno.EINPROGRESS, "connecting over loopback");
            this.far = Math.toIntExact(
                    check(libc.accept4(listener, 0, 0, Constants.SOCK_NONBLOCK | Constants.SOCK_CLOEXEC)));
            RawMemory.putInt(number, 1);
            check(libc.setsockopt(near, Constants.IPPROTO_TCP, Constants.TCP_NODELAY, number, Integer.BYTES));
            check(libc.setsockopt(far, Constants.IPPROTO_TCP, Constants.TCP_NODELAY, number, Integer.BYTES));
        } finally {
            libc.close(listener);
        }
    }

    /** Listens on any port, and writes the address to where it is. */
    private void listen(int listener, long address, long length) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
        check(libc.bind(listener, address, SockAddr.encode(any, address)));
        check(libc.listen(listener, 1));
        RawMemory.putInt(length, SockAddr.MAX_BYTES);
        check(libc.getsockname(listener, address, length));
    }

    int near() {
        return near;
    }

    int far() {
        return far;
    }

    /** Discards what the far end has received, without a copy: MSG_TRUNC of TCP (tcp(7)). */
    void discardReceived() {
        long discarded = DISCARD_BYTES;
        while (discarded > 0) {
            discarded = libc.recv(far, 0, DISCARD_BYTES, Constants.MSG_TRUNC);
        }
    }

    private static long check(long result) {
        RecordPath.require(result >= 0, "a connection over loopback: " + Errno.describe((int) -result) + ";");
        return result;
    }

    @Override
    public void close() {
        libc.close(near);
        libc.close(far);
        libc.close();
    }
}
