package dev.sluice.cli.gateway;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import java.nio.charset.StandardCharsets;

/** A sender of datagrams to a Unix socket, which the JDK lacks. */
final class NotifySocket {
    private NotifySocket() {}

    /**
     * Sends a datagram. A failure is ignored: the listener has gone.
     *
     * @param socket a path, or a name in the abstract namespace that begins with {@code @}
     */
    static void send(String socket, String message) {
        byte[] name = socket.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        if (name.length >= SockAddr.UNIX_PATH_BYTES) {
            return;
        }
        long memory = LibC.calloc(1, SockAddr.MAX_BYTES + (long) bytes.length);
        try (LibC libc = new LibC()) {
            long text = memory + SockAddr.MAX_BYTES;
            RawMemory.copy(bytes, 0, text, bytes.length);
            send(libc, memory, encode(name, memory), text, bytes.length);
        } finally {
            LibC.free(memory);
        }
    }

    /**
     * Encodes the address and returns its length: a name in the abstract namespace ends at the length, a path at its
     * NUL.
     */
    private static int encode(byte[] name, long to) {
        RawMemory.putShort(to + SockAddr.FAMILY_OFFSET, (short) Constants.AF_UNIX);
        RawMemory.copy(name, 0, to + SockAddr.UNIX_PATH_OFFSET, name.length);
        boolean isAbstract = name[0] == '@';
        if (isAbstract) {
            RawMemory.putByte(to + SockAddr.UNIX_PATH_OFFSET, (byte) 0);
        }
        return SockAddr.UNIX_PATH_OFFSET + name.length + (isAbstract ? 0 : 1);
    }

    private static void send(LibC libc, long address, int addressLength, long text, int length) {
        int descriptor = libc.socket(Constants.AF_UNIX, Constants.SOCK_DGRAM | Constants.SOCK_CLOEXEC, 0);
        if (descriptor < 0) {
            return;
        }
        if (libc.connect(descriptor, address, addressLength) == 0) {
            libc.send(descriptor, text, length, Constants.MSG_NOSIGNAL);
        }
        libc.close(descriptor);
    }
}
