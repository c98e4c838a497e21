package dev.sluice.transfer.rpc;

import java.io.IOException;

/** The methods of a server, called on its thread, one call at a time. */
@FunctionalInterface
public interface RpcHandler {
    /**
     * Handles a request: reads its payload, then either writes the response ({@link RpcRequest#reply}), or defers it
     * ({@link RpcRequest#defer}), or throws.
     *
     * @param request valid until this returns
     * @throws RpcException sent to the client as it is; everything else is sent as {@link RpcFailure#HANDLER_FAILED}
     */
    void handle(RpcRequest request) throws IOException;
}
