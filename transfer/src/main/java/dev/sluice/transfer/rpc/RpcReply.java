package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A deferred response. Any thread completes it, once: by {@link #begin} and {@link #send}, or by {@link #fail}. When
 * the connection has ended, completing it has no effect, or throws.
 */
public final class RpcReply {
    private enum State {
        OPEN,
        CANCELLED,
        WRITING,
        COMPLETE
    }

    private final RpcServer server;
    private final int id;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    RpcReply(RpcServer server, int id) {
        this.server = server;
        this.id = id;
    }

    int id() {
        return id;
    }

    void cancel() {
        state.compareAndSet(State.OPEN, State.CANCELLED);
    }

    /** Returns true when nobody waits for the response: {@link #fail} completes it cheaply. */
    public boolean isCancelled() {
        return state.get() == State.CANCELLED;
    }

    /**
     * Begins the response. No other response is written until {@link #send}, which must follow on the same thread.
     *
     * @param length its payload
     */
    public RpcOutput begin(int length) throws ChannelException {
        complete(State.WRITING);
        return server.beginReply(id, length);
    }

    /**
     * Sends the response.
     *
     * @throws IllegalStateException when the payload is incomplete; the connection ends then
     */
    public void send() throws ChannelException {
        if (!state.compareAndSet(State.WRITING, State.COMPLETE)) {
            throw new IllegalStateException("send() without begin()");
        }
        server.sendDeferred(this);
    }

    /** Responds that the call failed. */
    public void fail(RpcException why) throws ChannelException {
        complete(State.COMPLETE);
        server.failDeferred(this, why);
    }

    private void complete(State next) {
        if (!state.compareAndSet(State.OPEN, next) && !state.compareAndSet(State.CANCELLED, next)) {
            throw new IllegalStateException("the response is complete already");
        }
    }
}
