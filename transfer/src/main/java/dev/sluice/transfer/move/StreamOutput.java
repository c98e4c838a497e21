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
    private final Wire wire;
    private final FrameOutput frames;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean ended;
    private volatile boolean aborted;

    StreamOutput(Wire wire) {
        this.wire = wire;
        this.frames = new FrameOutput(wire);
    }

    void hello(Hello hello) throws IOException {
        lock.lock();
        try {
            frames.hello(hello);
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
            ended = true;
            wire.finish();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream with a failure, as far as the peer listens. */
    void error(TransferException failure) {
        lock.lock();
        try {
            String message = failure.getMessage();
            ended = true;
            frames.error(failure.failure(), message == null ? "" : message);
            wire.finish();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        } finally {
            lock.unlock();
        }
    }

    /** Forbids further pings, before the wire is closed. */
    void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
    }

    /** Sends PING from another thread, unless the stream's own thread sends now; returns false when that fails. */
    boolean ping() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            if (!ended) {
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
