package dev.sluice.transfer.rpc;

import java.io.IOException;

/** A reader of responses, called on the client's receiving thread: it must not block nor begin calls. */
@FunctionalInterface
public interface RpcAnswerHandler {
    /** Ignores the response. */
    RpcAnswerHandler IGNORE = response -> {};

    /**
     * Reads the response. What it leaves is skipped. What it throws fails the call alone.
     *
     * @param response valid until this returns
     */
    void onAnswer(RpcInput response) throws IOException;
}
