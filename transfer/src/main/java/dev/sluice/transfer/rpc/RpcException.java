package dev.sluice.transfer.rpc;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The failure of a call. The message names the event, the cause and the remedy. */
public final class RpcException extends IOException {
    private static final long serialVersionUID = 1L;

    private final RpcFailure failure;

    /**
     * Creates the exception. A handler that throws it chooses what the client gets.
     *
     * @param message event, cause and remedy
     */
    public RpcException(RpcFailure failure, String message) {
        this(failure, message, null);
    }

    /** Creates the exception with the underlying one. */
    public RpcException(RpcFailure failure, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = failure;
    }

    /** Returns the reason, which names the party at fault. */
    public RpcFailure failure() {
        return failure;
    }
}
