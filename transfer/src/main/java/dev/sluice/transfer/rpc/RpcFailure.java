package dev.sluice.transfer.rpc;

import dev.sluice.tls.failure.Fault;
import org.jspecify.annotations.Nullable;

/** The reason of a call's failure, and the party at fault. The first ones also travel, as their code. */
public enum RpcFailure {
    /** The server has no such method. */
    UNKNOWN_METHOD(1, Fault.PEER_INCOMPATIBLE),
    /** The request is larger than the server accepts, or the response larger than the client does. */
    TOO_LARGE(2, Fault.PEER_INCOMPATIBLE),
    /** There was no response in time. */
    DEADLINE_EXCEEDED(3, Fault.ENVIRONMENT),
    /** The client has lost interest. */
    CANCELLED(4, Fault.OURS),
    /** The server's handler failed. */
    HANDLER_FAILED(5, Fault.PEER_MISBEHAVED),
    /** The server has as many deferred responses as it permits. */
    BUSY(6, Fault.PEER_MISBEHAVED),
    /** The peer broke the protocol. */
    PROTOCOL(0, Fault.PEER_MISBEHAVED),
    /** The channel failed, or the peer ended it. */
    CONNECTION(0, Fault.ENVIRONMENT),
    /** The client is closed. */
    CLOSED(0, Fault.OURS);

    private final int code;
    private final Fault fault;

    RpcFailure(int code, Fault fault) {
        this.code = code;
        this.fault = fault;
    }

    /** Returns the code on the wire, 0 for a failure that does not travel. */
    int code() {
        return code;
    }

    /** Returns the failure of a code on the wire, null for an unknown one. */
    static @Nullable RpcFailure of(int code) {
        for (RpcFailure each : values()) {
            if (code != 0 && each.code == code) {
                return each;
            }
        }
        return null;
    }

    /** Returns the party at fault. */
    public Fault fault() {
        return fault;
    }
}
