package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** A socket during the handshake: every call counts against one limit of time. Confined to one thread. */
final class HandshakeSocket implements AutoCloseable {
    /** The time after our alert in which bytes are received: a close with unread bytes would destroy the alert. */
    private static final Duration LINGER_LIMIT = Duration.ofSeconds(1);

    private static final int LINGER_BUFFER_BYTES = 16 * 1024;
    private static final int MAX_LINGER_BYTES = 256 * 1024;

    private final ChannelSocket socket;
    private final long deadline;
    private final LibC libc = new LibC();

    HandshakeSocket(ChannelSocket socket, Duration limit) {
        this.socket = socket;
        this.deadline = System.nanoTime() + limit.toNanos();
    }

    /** Receives at least one byte; returns 0 at the end of the stream. */
    int receive(long address, int capacity) throws ChannelException {
        while (true) {
            socket.timeLimits(timeLeft());
            long count = libc.recv(socket.descriptor(), address, capacity, 0);
            if (count >= 0) {
                return (int) count;
            }
            if (count != -Errno.EINTR) {
                throw ChannelFailures.ofReceive((int) count);
            }
        }
    }

    /** Sends all bytes. */
    void send(long address, int length) throws ChannelException {
        int done = 0;
        while (done < length) {
            socket.timeLimits(timeLeft());
            long count = libc.send(socket.descriptor(), address + done, length - done, Constants.MSG_NOSIGNAL);
            if (count > 0) {
                done += (int) count;
            } else if (count != -Errno.EINTR) {
                throw ChannelFailures.ofSend((int) count);
            }
        }
    }

    /** Returns the rest of the limit, which is positive. */
    Duration timeLeft() throws ChannelException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new ChannelException(
                    ChannelFailure.TIMED_OUT, "handshake not complete in time; check the peer and the network");
        }
        return Duration.ofNanos(left);
    }

    /** Ends our direction and waits a moment for the peer's end, so that it can read our last bytes. */
    void linger() {
        libc.shutdown(socket.descriptor(), Constants.SHUT_WR);
        socket.timeLimits(LINGER_LIMIT);
        long end = System.nanoTime() + LINGER_LIMIT.toNanos();
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment ignored = allocator.allocate(LINGER_BUFFER_BYTES, Long.BYTES);
        try {
            long total = 0;
            long count = 1;
            while (count > 0 && total < MAX_LINGER_BYTES && System.nanoTime() < end) {
                count = libc.recv(socket.descriptor(), ignored.address(), LINGER_BUFFER_BYTES, 0);
                total += count;
            }
        } finally {
            allocator.free(ignored);
        }
    }

    /** Receives exactly as many bytes as the array has. */
    byte[] receive(int length) throws ChannelException {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(length, Long.BYTES);
        try {
            int done = 0;
            while (done < length) {
                int count = receive(memory.address() + done, length - done);
                if (count == 0) {
                    throw new ChannelException(
                            ChannelFailure.CONNECTION, "the peer ended the connection before the handshake; try again");
                }
                done += count;
            }
            byte[] bytes = new byte[length];
            RawMemory.copy(memory.address(), bytes, 0, length);
            return bytes;
        } finally {
            allocator.free(memory);
        }
    }

    /** Sends the bytes of an array. */
    void send(byte[] bytes) throws ChannelException {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(bytes.length, Long.BYTES);
        try {
            RawMemory.copy(bytes, 0, memory.address(), bytes.length);
            send(memory.address(), bytes.length);
        } finally {
            allocator.free(memory);
        }
    }

    @Override
    public void close() {
        libc.close();
    }
}
