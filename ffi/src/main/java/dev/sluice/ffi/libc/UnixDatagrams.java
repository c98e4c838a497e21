package dev.sluice.ffi.libc;

import java.nio.charset.StandardCharsets;

/**
 * Datagrams to a Unix socket, which the JDK lacks. Functions may be called from any thread, and return at least 0, or
 * the negated {@link Errno}. They never wait.
 */
public final class UnixDatagrams {
    private UnixDatagrams() {}

    /**
     * Opens a socket whose datagrams go to another one.
     *
     * @param name a path, or a name in the abstract namespace that begins with {@code @}
     * @return its descriptor, the caller's to close
     */
    public static int connect(Kernel kernel, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length >= SockAddr.UNIX_PATH_BYTES) {
            return -Errno.ENAMETOOLONG;
        }
        int flags = Constants.SOCK_DGRAM | Constants.SOCK_CLOEXEC | Constants.SOCK_NONBLOCK;
        int descriptor = kernel.socket(Constants.AF_UNIX, flags, 0);
        if (descriptor < 0) {
            return descriptor;
        }
        long address = allocate(SockAddr.MAX_BYTES);
        try {
            int result = kernel.connect(descriptor, address, encode(bytes, address));
            if (result < 0) {
                kernel.close(descriptor);
                return result;
            }
            return descriptor;
        } finally {
            LibC.free(address);
        }
    }

    /** Sends a datagram; {@code -EAGAIN}: the receiver's queue is full. */
    public static int send(Kernel kernel, int descriptor, byte[] message) {
        long memory = allocate(Math.max(1, message.length));
        try {
            RawMemory.copy(message, 0, memory, message.length);
            long sent =
                    kernel.send(descriptor, memory, message.length, Constants.MSG_NOSIGNAL | Constants.MSG_DONTWAIT);
            return (int) Math.min(sent, 0);
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

    private static long allocate(long bytes) {
        long memory = LibC.calloc(1, bytes);
        if (memory == 0) {
            throw new OutOfMemoryError("calloc refused " + bytes + " bytes for a datagram");
        }
        return memory;
    }
}
