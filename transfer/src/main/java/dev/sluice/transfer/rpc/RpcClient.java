package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client of an {@link RpcServer} over one channel: many calls in flight, responses in any order.
 *
 * <pre>{@code
 * try (RpcCall call = client.begin(METHOD, length, DEADLINE_MILLIS, response -> ...)) {
 *     call.output().put(...);          // the request, in place
 *     call.send();
 *     call.join();                     // the handler has read the response
 * }
 * }</pre>
 *
 * <p>Thread-safe: platform threads begin calls concurrently, and one of them writes at a time. To keep several calls
 * in flight from one thread, begin and send them, then join and close them in order. One more thread receives.
 * Calls allocate nothing unless they fail or threads contend.
 */
public final class RpcClient implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    /** The time at which a request leaves. */
    enum Flush {
        NOW,
        LATER
    }

    private final SecureChannel channel;
    private final RpcSettings settings;
    private final RpcFrameWriter writer;
    private final RpcFrameReader reader;
    private final Semaphore free;
    private final RpcCall[] calls;
    private final Thread receiver;
    private int nextSlot;
    private volatile @Nullable RpcException failure;

    /**
     * Starts the client.
     *
     * @param channel owned from now on; its limit for silence must be zero, or longer than the longest pause between
     *     calls
     */
    public RpcClient(SecureChannel channel, RpcSettings settings) {
        this.channel = channel;
        this.settings = settings;
        this.writer = new RpcFrameWriter(channel);
        this.reader = new RpcFrameReader(channel.incoming(), () -> {});
        this.free = new Semaphore(settings.window());
        this.calls = new RpcCall[settings.window()];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new RpcCall(this, i);
        }
        this.receiver = Thread.ofPlatform().name("rpc-receiver").daemon().start(this::receive);
    }

    // ---- calls

    /**
     * Begins a call; waits while the window is full. No other thread begins one until this one is sent or closed.
     *
     * @param method 0 to 65,535
     * @param length the payload of the request
     * @param deadlineMillis the most time until the response; 0 for no limit
     * @param handler reads the response
     * @return the caller closes it
     * @throws RpcException when the connection has failed, the request is too large, or the window stays full
     */
    public RpcCall begin(int method, int length, long deadlineMillis, RpcAnswerHandler handler) throws RpcException {
        if (method < 0 || method > 0xFFFF || length < 0 || deadlineMillis < 0 || deadlineMillis > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "method=" + method + ", length=" + length + ", deadlineMillis=" + deadlineMillis);
        }
        if (length > settings.requestBytesMax()) {
            throw new RpcException(
                    RpcFailure.TOO_LARGE, "request of " + length + " bytes; at most " + settings.requestBytesMax());
        }
        awaitWindow(deadlineMillis);
        writer.lock();
        RpcCall call = claimSlot();
        call.begin(handler, deadlineMillis);
        try {
            requireConnection();
            writer.begin(FrameKind.REQUEST, call.id(), method, (int) deadlineMillis, length);
            return call;
        } catch (ChannelException | RpcException e) {
            RpcException failed = failed(e);
            call.written();
            fail(failed);
            writer.unlock();
            call.discard();
            throw failed;
        }
    }

    private void awaitWindow(long deadlineMillis) throws RpcException {
        try {
            if (deadlineMillis == 0) {
                free.acquire();
            } else if (!free.tryAcquire(deadlineMillis, TimeUnit.MILLISECONDS)) {
                throw new RpcException(
                        RpcFailure.DEADLINE_EXCEEDED, "the window of calls stayed full; widen it or close calls");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RpcException(RpcFailure.CANCELLED, "interrupted while the window of calls was full", e);
        }
    }

    /** Returns a free slot: there is one, by the semaphore. */
    private RpcCall claimSlot() {
        while (calls[nextSlot].state() != RpcCall.State.FREE) {
            nextSlot = nextSlot + 1 == calls.length ? 0 : nextSlot + 1;
        }
        return calls[nextSlot];
    }

    private void requireConnection() throws RpcException {
        RpcException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    RpcOutput output() {
        return writer.output();
    }

    void send(RpcCall call, Flush flush) throws RpcException {
        if (writer.isIncomplete()) {
            throw new IllegalStateException(
                    writer.output().remaining() + " bytes of the request are not written; write all of them");
        }
        call.written();
        try {
            if (flush == Flush.NOW) {
                writer.flushLocked();
            }
        } catch (ChannelException e) {
            fail(failed(e));
        } finally {
            writer.unlock();
        }
    }

    /** Sends what {@link RpcCall#sendLater} has left. */
    void flush() throws RpcException {
        try {
            writer.flush();
        } catch (ChannelException e) {
            throw failed(e);
        }
    }

    /** Reports to the server that nobody waits for a response any more. */
    void cancel(int id) {
        try {
            writer.lock();
            try {
                if (failure == null) {
                    writer.begin(FrameKind.CANCEL, id, 0, 0, 0);
                    writer.flushLocked();
                }
            } finally {
                writer.unlock();
            }
        } catch (ChannelException e) {
            fail(failed(e));
        }
    }

    /** Ends the connection, since a part of a request cannot be taken back. */
    void abortWriting() {
        fail(new RpcException(
                RpcFailure.CONNECTION, "connection ended (a request was closed before it was sent); connect again"));
        channel.abort();
        writer.output().begin(0);
        writer.unlock();
    }

    void freed() {
        free.release();
    }

    // ---- the receiving thread

    private void receive() {
        RpcException end;
        try {
            while (reader.next()) {
                dispatch();
            }
            end = new RpcException(RpcFailure.CONNECTION, "the server ended the connection; connect again");
        } catch (RpcException e) {
            channel.abort();
            end = e;
        } catch (ChannelException e) {
            end = failed(e);
        } catch (RuntimeException | Error e) {
            channel.abort();
            end = new RpcException(RpcFailure.CONNECTION, "connection ended (" + e + "); connect again", e);
        }
        fail(end);
    }

    private void dispatch() throws ChannelException, RpcException {
        int slot = reader.id() & (RpcSettings.WINDOW_MAX - 1);
        boolean response = reader.kind() == FrameKind.RESPONSE || reader.kind() == FrameKind.ERROR;
        if (!response || slot >= calls.length || calls[slot].id() != reader.id()) {
            throw RpcFrameReader.protocol("frame " + reader.kind() + " with id " + reader.id());
        }
        calls[slot].answer(reader, settings.responseBytesMax());
    }

    /** Fails all calls in flight, and those to come. The first reason counts. */
    private void fail(RpcException why) {
        synchronized (calls) {
            if (failure == null) {
                failure = why;
            }
        }
        RpcException first = Objects.requireNonNull(failure);
        for (RpcCall call : calls) {
            call.fail(first);
        }
    }

    private static RpcException failed(Exception e) {
        return e instanceof RpcException same
                ? same
                : new RpcException(RpcFailure.CONNECTION, "connection failed: " + e.getMessage(), e);
    }

    /**
     * Fails the calls in flight, ends the stream in order, and closes the channel. Waits for a thread that writes a
     * request. Idempotent.
     */
    @Override
    public void close() {
        fail(new RpcException(RpcFailure.CLOSED, "the client is closed; open another one"));
        Thread finisher = Thread.ofPlatform().name("rpc-finisher").daemon().start(this::finish);
        // A server that does not read keeps the finisher, one that does not end keeps the receiver: the abort frees
        // both.
        Waits waits = new Waits();
        waits.await(finisher, CLOSE_LIMIT);
        waits.await(receiver, CLOSE_LIMIT);
        channel.abort();
        waits.await(finisher, Duration.ofDays(1));
        waits.await(receiver, Duration.ofDays(1));
        writer.lock();
        try {
            channel.close();
        } finally {
            writer.unlock();
        }
        waits.restoreInterrupt();
    }

    private void finish() {
        try {
            writer.finish();
        } catch (ChannelException e) {
            // The connection has failed before; the abort follows.
        }
    }

    /** A series of waits for threads that no interrupt cuts short. */
    private static final class Waits {
        private boolean interrupted;

        private void await(Thread thread, Duration limit) {
            long end = System.nanoTime() + limit.toNanos();
            while (thread.isAlive() && System.nanoTime() - end < 0) {
                try {
                    thread.join(Duration.ofNanos(end - System.nanoTime()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }

        private void restoreInterrupt() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
