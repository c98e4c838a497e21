package dev.sluice.gateway.restart;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.DescriptorMessage;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A Unix socket over which descriptors go from one process to another, in messages of a line of text and up to {@value
 * DescriptorMessage#DESCRIPTORS_MAX} of them. The JDK's channels cannot. For one thread.
 */
final class DescriptorSocket implements AutoCloseable {
    private static final int TEXT_BYTES_MAX = 1024;

    /**
     * A received message.
     *
     * @param descriptors the receiver's
     */
    record Message(String text, List<Integer> descriptors) {}

    private final LibC libc = new LibC();
    private final long memory = LibC.calloc(1, DescriptorMessage.BYTES + TEXT_BYTES_MAX);
    private final long text = memory + DescriptorMessage.BYTES;
    private int descriptor;

    private DescriptorSocket() throws IOException {
        this.descriptor = libc.socket(Constants.AF_UNIX, Constants.SOCK_SEQPACKET | Constants.SOCK_CLOEXEC, 0);
        if (descriptor < 0) {
            int failed = descriptor;
            free();
            throw failure("socket", failed);
        }
    }

    /** Waits at a path for whoever sends. */
    static DescriptorSocket listen(Path path) throws IOException {
        DescriptorSocket socket = new DescriptorSocket();
        try {
            socket.check("bind", socket.libc.bind(socket.descriptor, socket.text, socket.encode(path)));
            socket.check("listen", socket.libc.listen(socket.descriptor, 1));
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Connects to one who waits. */
    static DescriptorSocket connect(Path path) throws IOException {
        DescriptorSocket socket = new DescriptorSocket();
        try {
            socket.check("connect", socket.libc.connect(socket.descriptor, socket.text, socket.encode(path)));
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private int encode(Path path) {
        return SockAddr.encode(UnixDomainSocketAddress.of(path), text);
    }

    /** Becomes the connection to the first who has connected. */
    void accept() throws IOException {
        int accepted = check("accept4", libc.accept4(descriptor, 0, 0, Constants.SOCK_CLOEXEC));
        libc.close(descriptor);
        descriptor = accepted;
    }

    /** Sends a line, and copies of descriptors. */
    void send(String line, int[] descriptors) throws IOException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        RawMemory.copy(bytes, 0, text, bytes.length);
        DescriptorMessage.setForSending(memory, text, bytes.length, descriptors);
        check("sendmsg", (int) libc.sendmsg(descriptor, memory, Constants.MSG_NOSIGNAL));
    }

    /** The next message; one with an empty text when the other side has closed. */
    Message receive() throws IOException {
        DescriptorMessage.setForReceiving(memory, text, TEXT_BYTES_MAX);
        int length = check("recvmsg", (int) libc.recvmsg(descriptor, memory, Constants.MSG_CMSG_CLOEXEC));
        byte[] bytes = new byte[length];
        RawMemory.copy(text, bytes, 0, length);
        return new Message(
                new String(bytes, StandardCharsets.UTF_8),
                Arrays.stream(DescriptorMessage.descriptors(memory)).boxed().toList());
    }

    private int check(String call, int result) throws IOException {
        if (result < 0) {
            throw failure(call, result);
        }
        return result;
    }

    private static IOException failure(String call, int errno) {
        return new IOException(call + ": " + Errno.describe(errno));
    }

    @Override
    public void close() {
        libc.close(descriptor);
        free();
    }

    private void free() {
        libc.close();
        LibC.free(memory);
    }
}
