package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.Start;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The output of a target's stream: the frames of its thread, and the PING of another one while that thread waits for
 * other streams or for the disk. The lock is taken per request of a file or chunk, and contended by a PING alone.
 */
final class StreamOutput {
    /** The course of the output, which decides on pings. */
    private enum Course {
        /** HELLO, which tells the protocol, was not sent: nothing may precede it. */
        SILENT,
        OPEN,
        ENDED
    }

    private final Wire wire;
    private final FrameOutput frames;
    private final ReentrantLock lock = new ReentrantLock();
    private Course course = Course.SILENT;
    private volatile boolean aborted;

    StreamOutput(Wire wire) {
        this.wire = wire;
        this.frames = new FrameOutput(wire);
    }

    void hello(Hello hello) throws IOException {
        lock.lock();
        try {
            frames.hello(hello);
            course = Course.OPEN;
        } finally {
            lock.unlock();
        }
    }

    void start(Start start) throws IOException {
        lock.lock();
        try {
            frames.start(start);
        } finally {
            lock.unlock();
        }
    }

    void list() throws IOException {
        lock.lock();
        try {
            frames.list();
        } finally {
            lock.unlock();
        }
    }

    /** Writes a request about a file. */
    void request(FrameType type, byte[] path, Entry entry, long offset, int length) throws IOException {
        lock.lock();
        try {
            frames.request(type, path, entry, offset, length);
        } finally {
            lock.unlock();
        }
    }

    void flush() throws IOException {
        lock.lock();
        try {
            frames.flush();
        } finally {
            lock.unlock();
        }
    }

    /** Sends the summary. */
    void done(TransferSummary summary) throws IOException {
        lock.lock();
        try {
            frames.done(summary);
            frames.flush();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream in order. */
    void finish() throws IOException {
        lock.lock();
        try {
            course = Course.ENDED;
            wire.finish();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream with a failure, as far as the peer listens. */
    void error(TransferException failure) {
        lock.lock();
        try {
            course = Course.ENDED;
            frames.fail(failure.failure(), failure.getMessage());
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a stream that never began with a failure, after the hello, which tells the protocol. */
    void error(Hello hello, TransferException failure) {
        try {
            hello(hello);
        } catch (IOException e) {
            failure.addSuppressed(e);
            return;
        }
        error(failure);
    }

    /** Forbids further pings, before the wire is closed. */
    void end() {
        lock.lock();
        try {
            course = Course.ENDED;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends PING from another thread, between HELLO and the end, unless the stream's own thread sends now.
     *
     * @return false when that fails
     */
    boolean ping() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            if (course == Course.OPEN) {
                frames.ping();
                frames.flush();
            }
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Ends both directions at once, from any thread. */
    void abort() {
        aborted = true;
        wire.abort();
    }

    /** Returns whether the stream was aborted. */
    boolean isAborted() {
        return aborted;
    }
}
