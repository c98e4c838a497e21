package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One call of a client, from its begin to its close. The thread that has begun it writes the request and sends it; then
 * one thread joins and closes it.
 *
 * <pre>
 * FREE ─▶ IN_FLIGHT ─▶ ANSWERING ─▶ ANSWERED ─▶ FREE
 *             ├──▶ FAILED ───────────────────────▲
 *             └──▶ ABANDONED, until its response ─┘
 * </pre>
 *
 * <p>A call is in flight from its begin on, since a server may respond before it has read the whole request. A call
 * that is closed before its request is sent ends the connection.
 *
 * <p>Close exactly once: the object is used again by a later call. No handler runs after that.
 */
public final class RpcCall implements AutoCloseable {
    /** The progress of a call. */
    enum State {
        FREE,
        IN_FLIGHT,
        /** The handler of the response runs. */
        ANSWERING,
        ANSWERED,
        FAILED,
        /** Closed before its response has come. */
        ABANDONED
    }

    /** The request, as its writer sees it. */
    private enum Request {
        WRITING,
        COMPLETE
    }

    private final RpcClient client;
    private final int slot;
    private final AtomicReference<State> state = new AtomicReference<>(State.FREE);
    private Request request = Request.COMPLETE;
    private int generation;
    private long deadline;
    private boolean limited;
    private RpcAnswerHandler handler = RpcAnswerHandler.IGNORE;
    private @Nullable RpcException failure;
    private volatile @Nullable Thread waiter;

    RpcCall(RpcClient client, int slot) {
        this.client = client;
        this.slot = slot;
    }

    // ---- for the caller

    /** Returns the payload of the request, which must be written whole before {@link #send}. */
    public RpcOutput output() {
        return client.output();
    }

    /**
     * Sends the request, and those before it that wait.
     *
     * @throws RpcException when the connection has failed
     * @throws IllegalStateException when the payload is incomplete
     */
    public void send() throws RpcException {
        client.send(this, RpcClient.Flush.NOW);
    }

    /**
     * Ends the request without sending it yet: the next {@link #send} or {@link #join} of any call does. For small
     * requests in a row.
     */
    public void sendLater() throws RpcException {
        client.send(this, RpcClient.Flush.LATER);
    }

    /**
     * Waits for the response; returns when its handler has.
     *
     * @throws RpcException when the call failed, in particular as {@link RpcFailure#DEADLINE_EXCEEDED}; or what the
     *     handler threw, as its cause
     */
    public void join() throws RpcException {
        client.flush();
        waiter = Thread.currentThread();
        try {
            awaitEnd();
        } finally {
            waiter = null;
        }
        RpcException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private void awaitEnd() throws RpcException {
        while (!isOver()) {
            if (!limited) {
                LockSupport.park(this);
            } else {
                long left = deadline - System.nanoTime();
                if (left <= 0 && state.get() == State.IN_FLIGHT) {
                    throw new RpcException(
                            RpcFailure.DEADLINE_EXCEEDED, "no response in time; check the peer, or wait longer");
                }
                LockSupport.parkNanos(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
            }
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new RpcException(RpcFailure.CANCELLED, "interrupted while waiting for the response");
            }
        }
    }

    private boolean isOver() {
        State now = state.get();
        return now == State.ANSWERED || now == State.FAILED;
    }

    /** Frees the call; cancels it if its response has not come. A request that is not sent ends the connection. */
    @Override
    public void close() {
        int id = id();
        if (request == Request.WRITING) {
            request = Request.COMPLETE;
            client.abortWriting();
        }
        if (state.compareAndSet(State.IN_FLIGHT, State.ABANDONED)) {
            client.cancel(id);
        } else {
            discard();
        }
    }

    /** Frees a call that has ended or is about to. */
    void discard() {
        awaitHandler();
        free();
    }

    /** Waits for a handler that runs, since it may use the caller's memory. */
    private void awaitHandler() {
        waiter = Thread.currentThread();
        boolean interrupted = false;
        while (!isOver()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        waiter = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- for the client

    State state() {
        return state.get();
    }

    /** Returns the id on the wire: the slot, and a count of its uses, so that a stale response is detected. */
    int id() {
        return generation * RpcSettings.WINDOW_MAX + slot;
    }

    /** Starts a call in a free slot. */
    void begin(RpcAnswerHandler responseHandler, long deadlineMillis) {
        generation++;
        handler = responseHandler;
        failure = null;
        limited = deadlineMillis > 0;
        deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
        request = Request.WRITING;
        state.set(State.IN_FLIGHT);
    }

    /** Notes that the request is whole, or will never be. */
    void written() {
        request = Request.COMPLETE;
    }

    /** Takes the response, from the receiving thread. */
    void answer(RpcFrameReader frame, int bytesMax) throws ChannelException, RpcException {
        if (!state.compareAndSet(State.IN_FLIGHT, State.ANSWERING)) {
            if (state.get() != State.ABANDONED) {
                throw RpcFrameReader.protocol("response to a call in state " + state.get());
            }
            frame.input().skipRest();
            free();
            return;
        }
        try {
            end(read(frame, bytesMax));
        } catch (ChannelException | RpcException | RuntimeException | Error e) {
            // The connection fails, and this call with it.
            state.set(State.IN_FLIGHT);
            throw e;
        }
    }

    private @Nullable RpcException read(RpcFrameReader frame, int bytesMax) throws ChannelException, RpcException {
        RpcException failed = null;
        if (frame.kind() == FrameKind.ERROR) {
            RpcFailure reason = RpcFailure.of(frame.detail());
            failed = new RpcException(reason == null ? RpcFailure.HANDLER_FAILED : reason, frame.text());
        } else if (frame.length() > bytesMax) {
            failed = new RpcException(
                    RpcFailure.TOO_LARGE, "response of " + frame.length() + " bytes; at most " + bytesMax);
        } else {
            failed = handle(frame.input());
        }
        frame.input().skipRest();
        return failed;
    }

    private @Nullable RpcException handle(RpcInput input) throws ChannelException {
        try {
            handler.onAnswer(input);
            return null;
        } catch (ChannelException e) {
            throw e;
        } catch (Exception e) {
            return new RpcException(RpcFailure.HANDLER_FAILED, "the handler of the response failed: " + e, e);
        }
    }

    /** Fails a call in flight when the connection has. */
    void fail(RpcException why) {
        if (state.compareAndSet(State.ABANDONED, State.FAILED)) {
            free();
        } else if (state.compareAndSet(State.IN_FLIGHT, State.ANSWERING)) {
            end(why);
        }
    }

    private void end(@Nullable RpcException why) {
        failure = why;
        state.set(why == null ? State.ANSWERED : State.FAILED);
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    void free() {
        handler = RpcAnswerHandler.IGNORE;
        state.set(State.FREE);
        client.freed();
    }
}
