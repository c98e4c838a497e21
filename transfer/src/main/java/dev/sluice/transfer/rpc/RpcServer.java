package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.SecureChannel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The server of one channel: reads requests, has a handler respond, and sends the responses when no request is left
 * that has arrived. Serves on the thread that calls {@link #serve}, a platform thread; several channels are several
 * servers.
 */
public final class RpcServer {
    private final SecureChannel channel;
    private final RpcSettings settings;
    private final RpcHandler handler;
    private final RpcFrameWriter writer;
    private final RpcFrameReader reader;
    private final RpcRequest request;
    private final Map<Integer, RpcReply> deferred = new ConcurrentHashMap<>();

    /** Guarded by the writer's lock. */
    private State state = State.SERVING;

    private enum State {
        SERVING,
        ENDED
    }

    /**
     * Creates a server.
     *
     * @param channel the caller's, who closes it after {@link #serve}; its limit
     *     for silence must be zero, or longer than the longest pause between calls
     */
    public RpcServer(SecureChannel channel, RpcSettings settings, RpcHandler handler) {
        this.channel = channel;
        this.settings = settings;
        this.handler = handler;
        this.writer = new RpcFrameWriter(channel);
        this.reader = new RpcFrameReader(channel.incoming(), writer::flush);
        this.request = new RpcRequest(this, reader);
    }

    /**
     * Serves until the client ends its stream.
     *
     * @throws ChannelException when the channel fails
     * @throws RpcException when the client breaks the protocol, or a handler leaves a response incomplete
     */
    public void serve() throws ChannelException, RpcException {
        try {
            while (reader.next()) {
                dispatch();
            }
            writer.finish();
        } catch (RpcException | RuntimeException | Error e) {
            channel.abort();
            throw e;
        } finally {
            deferred.values().forEach(RpcReply::cancel);
            end();
        }
    }

    /** Waits for a deferred response that is being written; no other is written afterwards. */
    private void end() {
        writer.lock();
        try {
            state = State.ENDED;
        } finally {
            writer.unlockAll();
        }
    }

    private void dispatch() throws ChannelException, RpcException {
        switch (reader.kind()) {
            case REQUEST -> handle();
            case CANCEL -> cancel();
            default -> throw RpcFrameReader.protocol("frame " + reader.kind() + " from a client");
        }
    }

    private void cancel() throws ChannelException {
        RpcReply reply = deferred.get(reader.id());
        if (reply != null) {
            reply.cancel();
        }
        reader.input().skipRest();
    }

    private void handle() throws ChannelException, RpcException {
        int id = reader.id();
        if (reader.length() > settings.requestBytesMax()) {
            RpcFailure reason = RpcFailure.TOO_LARGE;
            writer.error(id, reason, "request of " + reader.length() + " bytes; at most " + settings.requestBytesMax());
        } else {
            RpcException failed = callHandler();
            if (failed != null) {
                writer.error(id, failed.failure(), String.valueOf(failed.getMessage()));
            }
        }
        reader.input().skipRest();
    }

    /** Returns the failure to report to the client, null when there is none. */
    private @Nullable RpcException callHandler() throws ChannelException, RpcException {
        request.begin();
        RpcException failed = null;
        try {
            handler.handle(request);
            if (request.outcome() == RpcRequest.Outcome.NONE) {
                failed = new RpcException(RpcFailure.HANDLER_FAILED, "the handler gave no response");
            }
        } catch (ChannelException e) {
            throw e;
        } catch (RpcException e) {
            failed = e.failure().code() != 0 ? e : handlerFailed(e);
        } catch (IOException | RuntimeException e) {
            failed = handlerFailed(e);
        }
        if (request.outcome() == RpcRequest.Outcome.WRITTEN) {
            endReply(failed);
            return null;
        }
        return request.outcome() == RpcRequest.Outcome.DEFERRED ? null : failed;
    }

    /** Names the kind of the failure only: its message may be about this machine. */
    private static RpcException handlerFailed(Exception e) {
        return new RpcException(
                RpcFailure.HANDLER_FAILED, "handler failed (" + e.getClass().getSimpleName() + ")", e);
    }

    private void endReply(@Nullable RpcException failed) throws RpcException {
        int missing = writer.output().remaining();
        writer.unlock();
        if (missing > 0) {
            throw new RpcException(
                    RpcFailure.HANDLER_FAILED,
                    missing + " bytes of a response are missing; ending the connection",
                    failed);
        }
    }

    // ---- for responses

    RpcOutput beginReply(int id, int length) throws ChannelException {
        writer.lock();
        try {
            requireServing();
            writer.begin(FrameKind.RESPONSE, id, 0, 0, length);
            return writer.output();
        } catch (ChannelException | RuntimeException e) {
            writer.unlock();
            throw e;
        }
    }

    private void requireServing() throws ChannelException {
        if (state == State.ENDED) {
            throw new ChannelException(
                    ChannelFailure.ABORTED, "response dropped (the client has ended the connection)");
        }
    }

    RpcReply defer(int id) throws RpcException {
        if (deferred.size() >= settings.window()) {
            throw new RpcException(RpcFailure.BUSY, settings.window() + " responses are deferred; send fewer at once");
        }
        RpcReply reply = new RpcReply(this, id);
        if (deferred.putIfAbsent(id, reply) != null) {
            throw RpcFrameReader.protocol("id " + id + " used twice");
        }
        return reply;
    }

    void sendDeferred(RpcReply reply) throws ChannelException {
        deferred.remove(reply.id(), reply);
        try {
            int missing = writer.output().remaining();
            if (missing > 0) {
                writer.output().begin(0);
                channel.abort();
                throw new IllegalStateException(missing + " bytes of the response are not written; write all of them");
            }
            writer.flushLocked();
        } finally {
            writer.unlock();
        }
    }

    void failDeferred(RpcReply reply, RpcException why) throws ChannelException {
        deferred.remove(reply.id(), reply);
        writer.lock();
        try {
            requireServing();
            RpcFailure reason = why.failure().code() == 0 ? RpcFailure.HANDLER_FAILED : why.failure();
            writer.error(reply.id(), reason, String.valueOf(why.getMessage()));
            writer.flushLocked();
        } finally {
            writer.unlock();
        }
    }
}
