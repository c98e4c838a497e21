package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;

/** The request that a handler handles. One object serves all calls of a server; valid until the handler returns. */
public final class RpcRequest {
    /** The response to this request. */
    enum Outcome {
        NONE,
        /** Written, or being written: the writer is locked. */
        WRITTEN,
        DEFERRED
    }

    private final RpcServer server;
    private final RpcFrameReader frame;
    private Outcome outcome = Outcome.NONE;

    RpcRequest(RpcServer server, RpcFrameReader frame) {
        this.server = server;
        this.frame = frame;
    }

    void begin() {
        outcome = Outcome.NONE;
    }

    Outcome outcome() {
        return outcome;
    }

    /** Returns the number of the method. */
    public int method() {
        return frame.method();
    }

    /** Returns the time that the client waits in milliseconds, 0 for no limit. */
    public int deadlineMillis() {
        return frame.detail();
    }

    /** Returns the payload. */
    public RpcInput input() {
        return frame.input();
    }

    /**
     * Begins the response, which must be written whole before the handler returns.
     *
     * @param length its payload
     */
    public RpcOutput reply(int length) throws ChannelException {
        requireOpen();
        outcome = Outcome.WRITTEN;
        return server.beginReply(frame.id(), length);
    }

    /**
     * Defers the response: the handler returns, and any thread completes it later.
     *
     * @throws RpcException when as many are deferred as the window permits; passed on, it fails the call as busy
     */
    public RpcReply defer() throws RpcException {
        requireOpen();
        RpcReply reply = server.defer(frame.id());
        outcome = Outcome.DEFERRED;
        return reply;
    }

    /** Returns the exception for a method that the handler does not have. */
    public RpcException unknownMethod() {
        return new RpcException(RpcFailure.UNKNOWN_METHOD, "no method " + method() + "; update the older side");
    }

    private void requireOpen() {
        if (outcome != Outcome.NONE) {
            throw new IllegalStateException("the request has a response already: " + outcome);
        }
    }
}
