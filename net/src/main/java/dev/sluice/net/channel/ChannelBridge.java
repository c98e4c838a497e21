package dev.sluice.net.channel;

import dev.sluice.ffi.libc.InetText;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.peer.ConnectionFailedException;
import dev.sluice.net.peer.ConnectionFailedException.Stage;
import dev.sluice.net.peer.ReceivedBytes;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.net.peer.WriteLimitException;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The two sides of a {@link TlsChannel}: the connection's handler on the loop, and the waits of the threads that read
 * and write. One lock guards what they share; nobody waits for anything else while holding it.
 *
 * <p>A reader that waits lends its buffer, and the loop copies into it. What arrives while none waits stays in the
 * loop's buffers, and receiving pauses above a limit. A writer of few bytes leaves a copy to the loop and goes on; one
 * of more lends its buffers and waits until the loop has copied all they hold.
 */
public final class ChannelBridge implements TlsHandler {
    /** The states of the peer's direction; once it has left OPEN it stays. */
    private enum Input {
        OPEN,
        /** The peer has sent close_notify. */
        ENDED,
        /** The connection broke, or was closed under the channel. */
        BROKEN,
        /** The channel was closed. */
        CLOSED
    }

    /** The states of our direction. */
    private enum Output {
        OPEN,
        /** Close_notify follows what is queued. */
        SHUT,
        /** Nothing can leave any more. */
        GONE
    }

    private final Consumer<TlsChannel> opened;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();
    private final Condition written = lock.newCondition();
    private final ReceivedQueue received = new ReceivedQueue();
    private final WriteQueue toWrite = new WriteQueue();
    private final Runnable settleInput = this::settleInput;
    private final Runnable drainOutput = this::drainOutput;
    private final Runnable finishOutput = this::finishOutput;
    private @Nullable TlsPeer peer;
    private @Nullable ConnectionFailure failure;
    private Input input = Input.OPEN;
    private Output output = Output.OPEN;

    /** True while {@link #settleInput} is on its way to the loop. */
    private boolean settling;

    /** True while receiving is off because nobody reads. */
    private boolean paused;

    /** The buffer of the reader that waits; null for none. */
    private @Nullable ByteBuffer lent;

    /**
     * Creates the handler of one connection.
     *
     * @param opened receives the channel when the handshake is complete, on the loop
     */
    public ChannelBridge(Consumer<TlsChannel> opened) {
        this.opened = opened;
    }

    // --- on the loop ------------------------------------------------------------------------------------------------

    @Override
    public void onOpen(TlsPeer opening) {
        peer = opening;
        opened.accept(new TlsChannel(opening, this));
    }

    @Override
    public void onReceived(TlsPeer from, ReceivedBytes bytes) {
        lock.lock();
        try {
            ByteBuffer target = lent;
            if (target != null) {
                lent = null;
                received.deliver(bytes, target);
                readable.signal();
            } else if (input == Input.OPEN) {
                received.add(bytes);
                readable.signal();
            }
            if (received.bytes() >= ReceivedQueue.PAUSE_BYTES && !paused) {
                paused = true;
                from.pause();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onWritable(TlsPeer to) {
        drainOutput();
    }

    @Override
    public void onEndOfStream(TlsPeer from) {
        lock.lock();
        try {
            end(Input.ENDED, output, null);
        } finally {
            lock.unlock();
        }
    }

    /** Leaves the channel open: its thread may finish within the grace period. */
    @Override
    public void onDrain(TlsPeer draining) {}

    @Override
    public void onFailed(TlsPeer from, ConnectionFailure cause) {
        end(Input.BROKEN, Output.GONE, cause);
    }

    @Override
    public void onClosed(TlsPeer from) {
        lock.lock();
        try {
            received.detach();
            end(
                    Input.BROKEN,
                    Output.GONE,
                    new ConnectionFailure(
                            EndReason.LOOP_CLOSED,
                            InetText.of(from.remoteAddress())
                                    + ": the connection was closed under its channel, with the server or"
                                    + " the client that it belongs to; close channels before"));
        } finally {
            lock.unlock();
        }
    }

    /** Notes an end, unless one of the kind came before, and wakes who waits. */
    private void end(Input inputNow, Output outputNow, @Nullable ConnectionFailure cause) {
        lock.lock();
        try {
            if (input == Input.OPEN) {
                input = inputNow;
            }
            if (failure == null) {
                failure = cause;
            }
            if (output == Output.OPEN) {
                output = outputNow;
            }
            readable.signalAll();
            written.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Releases the buffers that were read, and receives again when few bytes are left. */
    private void settleInput() {
        lock.lock();
        try {
            settling = false;
            if (input == Input.CLOSED) {
                received.discard();
                return;
            }
            received.releaseRead();
            if (paused && received.bytes() <= ReceivedQueue.RESUME_BYTES) {
                paused = false;
                peer().resume();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Copies what was written into the loop's buffers, as far as the peer is writable. */
    private void drainOutput() {
        lock.lock();
        try {
            boolean leaves = output == Output.OPEN || (output == Output.SHUT && toWrite.isCopyPending());
            if (leaves && toWrite.isPending() && !toWrite.drainTo(peer())) {
                peer().loop().schedule(WriteQueue.BUFFER_RETRY_MILLIS, drainOutput);
            }
            if (!toWrite.isPending()) {
                written.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends our direction, or both, behind the copy of the last write. */
    private void finishOutput() {
        boolean closed;
        lock.lock();
        try {
            closed = input == Input.CLOSED;
            if (output == Output.SHUT && !toWrite.drainCopyTo(peer())) {
                peer().loop().schedule(WriteQueue.BUFFER_RETRY_MILLIS, finishOutput);
                return;
            }
        } catch (WriteLimitException e) {
            peer().abort(); // a close_notify would hide that bytes are missing
            return;
        } finally {
            lock.unlock();
        }
        if (closed) {
            peer().close();
            settleInput();
        } else {
            peer().closeOutput();
        }
    }

    // --- on the threads of programs ---------------------------------------------------------------------------------

    /** Reads at least one byte; -1 at the peer's close_notify. */
    int read(ByteBuffer target, long deadlineNanos) throws IOException {
        lock.lock();
        try {
            int before = target.position();
            if (received.bytes() == 0 && input == Input.OPEN) {
                awaitInput(target, deadlineNanos);
            }
            if (target.position() == before && received.bytes() > 0) {
                received.readInto(target);
                settleLater();
            }
            int count = target.position() - before;
            if (count == 0 && input != Input.ENDED) {
                throw failed();
            }
            return count == 0 ? -1 : count;
        } finally {
            lock.unlock();
        }
    }

    /** Lends the buffer to the loop until bytes have come, or the peer's direction has ended. */
    private void awaitInput(ByteBuffer target, long deadlineNanos) throws SocketTimeoutException {
        boolean lends = !WriteQueue.LentBuffers.isConfined(target);
        boolean bounded = deadlineNanos > 0;
        long left = deadlineNanos;
        lent = lends ? target : null;
        try {
            while ((!lends || lent != null) && received.bytes() == 0 && input == Input.OPEN) {
                if (!bounded) {
                    readable.awaitUninterruptibly();
                } else if (left <= 0) {
                    throw expired(deadlineNanos);
                } else {
                    left = readable.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            // The interrupt closes the channel, which chooses the exception.
            Thread.currentThread().interrupt();
        } finally {
            lent = null;
        }
    }

    private SocketTimeoutException expired(long deadlineNanos) {
        return new SocketTimeoutException(
                "no byte from " + InetText.of(peer().remoteAddress()) + " within the read deadline ("
                        + TimeUnit.NANOSECONDS.toMillis(deadlineNanos)
                        + " ms); read again, raise the deadline, or close the channel");
    }

    private IOException failed() {
        ConnectionFailure cause = failure;
        return input == Input.CLOSED || cause == null
                ? new ClosedChannelException()
                : ConnectionFailedException.of(Stage.ESTABLISHED, cause);
    }

    /** Has the loop release what was read; once for all that is read until it does. */
    private void settleLater() {
        boolean resumes = paused && received.bytes() <= ReceivedQueue.RESUME_BYTES;
        if (!settling && (received.hasRead() || resumes)) {
            settling = true;
            onLoop(settleInput);
        }
    }

    /** Writes all bytes, or leaves a copy of few to the loop; the caller is the only writer. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        lock.lock();
        try {
            awaitWritten();
            if (output != Output.OPEN) {
                throw output == Output.SHUT ? new ClosedChannelException() : failed();
            }
            toWrite.add(sources, offset, length);
            if (toWrite.isPending()) {
                onLoop(drainOutput);
            }
            if (!toWrite.isCopyPending()) {
                awaitWritten();
            }
            if (toWrite.isPending() && !toWrite.isCopyPending()) {
                toWrite.clear();
                throw failed();
            }
            return toWrite.count();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the loop has copied what was written, or our direction has ended. */
    private void awaitWritten() {
        while (toWrite.isPending() && output == Output.OPEN) {
            written.awaitUninterruptibly();
        }
    }

    /** Ends our direction; the caller keeps writers away. */
    void shutdownOutput() {
        lock.lock();
        try {
            if (output == Output.OPEN) {
                output = Output.SHUT;
                onLoop(finishOutput);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isOutputShut() {
        lock.lock();
        try {
            return output == Output.SHUT;
        } finally {
            lock.unlock();
        }
    }

    boolean isInputEnded() {
        lock.lock();
        try {
            return input == Input.ENDED;
        } finally {
            lock.unlock();
        }
    }

    int available() {
        lock.lock();
        try {
            return received.bytes();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection behind what is queued, and wakes who waits. */
    void close() {
        lock.lock();
        try {
            input = Input.CLOSED;
            end(Input.CLOSED, Output.SHUT, null);
        } finally {
            lock.unlock();
        }
        onLoop(finishOutput);
    }

    private void onLoop(Runnable task) {
        try {
            peer().execute(task);
        } catch (RejectedExecutionException closed) {
            // The loop has ended its connections: onClosed was called, or is about to be.
        }
    }

    private TlsPeer peer() {
        return Objects.requireNonNull(peer);
    }
}
