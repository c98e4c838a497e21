package dev.sluice.gateway.restart;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import dev.sluice.net.ListenException;
import java.net.InetSocketAddress;

/** A lookup of the addresses of sockets. Owns a little memory; for one thread. */
final class SocketName implements AutoCloseable {
    private static final int LENGTH_OFFSET = SockAddr.MAX_BYTES;

    private final LibC libc;
    private final long scratch = LibC.calloc(1, LENGTH_OFFSET + 8L);

    SocketName(LibC libc) {
        this.libc = libc;
    }

    /**
     * Returns the name of a socket.
     *
     * @throws ListenException when the descriptor is no TCP socket
     */
    InetSocketAddress of(int descriptor) {
        RawMemory.putInt(scratch + LENGTH_OFFSET, SockAddr.MAX_BYTES);
        int result = libc.getsockname(descriptor, scratch, scratch + LENGTH_OFFSET);
        if (result == 0
                && SockAddr.decode(scratch, RawMemory.getInt(scratch + LENGTH_OFFSET))
                        instanceof InetSocketAddress inet) {
            return inet;
        }
        throw new ListenException("descriptor " + descriptor
                + " that was passed on is no TCP socket; name only such in the socket unit, as in ListenStream=8443");
    }

    @Override
    public void close() {
        LibC.free(scratch);
    }
}
