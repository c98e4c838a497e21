package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The frames that one side sends: a header in network byte order, and the payload.
 *
 * <pre>
 *   0        4         8      9          10       12       16
 *   +--------+---------+------+----------+--------+--------+-------------
 *   | length | call id | kind | reserved | method | detail | payload ...
 *   +--------+---------+------+----------+--------+--------+-------------
 * </pre>
 *
 * <p>Threads write one frame at a time. The lock is per call, not per record, and free where one thread calls.
 */
final class RpcFrameWriter {
    /** Size of the header. */
    static final int HEADER_BYTES = 16;

    /** The most bytes of an error's text. */
    static final int TEXT_BYTES_MAX = 1024;

    private static final int KIND_SHIFT = 24;

    private final SecureChannel channel;
    private final RpcOutput output;
    private final ReentrantLock lock = new ReentrantLock();

    RpcFrameWriter(SecureChannel channel) {
        this.channel = channel;
        this.output = new RpcOutput(channel);
    }

    RpcOutput output() {
        return output;
    }

    /** Waits until no other thread writes a frame, and keeps others away until {@link #unlock}. */
    void lock() {
        lock.lock();
    }

    /** Permits other threads to write. No effect on a thread that has not locked. */
    void unlock() {
        if (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }

    /** Permits other threads to write, also when this thread has locked more than once. */
    void unlockAll() {
        while (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }

    /** Writes a header; the payload follows through {@link #output}. Locked. */
    void begin(FrameKind kind, int id, int method, int detail, int length) throws ChannelException {
        output.requireRoom(HEADER_BYTES);
        channel.outgoing().putInt(length);
        channel.outgoing().putInt(id);
        channel.outgoing().putInt((kind.code() << KIND_SHIFT) | method);
        channel.outgoing().putInt(detail);
        output.begin(length);
    }

    /** Returns true when a frame is begun and not all of its payload written. Locked. */
    boolean isIncomplete() {
        return output.remaining() > 0;
    }

    /** Sends what is written. */
    void flush() throws ChannelException {
        lock.lock();
        try {
            flushLocked();
        } finally {
            lock.unlock();
        }
    }

    /** Sends what is written. Locked. */
    void flushLocked() throws ChannelException {
        if (channel.outgoing().position() > 0) {
            channel.send();
        }
    }

    /** Writes an error frame. */
    void error(int id, RpcFailure failure, String text) throws ChannelException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] shown = bytes.length > TEXT_BYTES_MAX ? Arrays.copyOf(bytes, TEXT_BYTES_MAX) : bytes;
        lock.lock();
        try {
            begin(FrameKind.ERROR, id, 0, failure.code(), shown.length);
            output.put(MemorySegment.ofArray(shown), 0, shown.length);
        } finally {
            lock.unlock();
        }
    }

    /** Ends our stream in order. */
    void finish() throws ChannelException {
        lock.lock();
        try {
            flushLocked();
            channel.finish();
        } finally {
            lock.unlock();
        }
    }
}
