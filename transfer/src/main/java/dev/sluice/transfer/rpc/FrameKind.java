package dev.sluice.transfer.rpc;

import org.jspecify.annotations.Nullable;

/** The kinds of frames: see {@link RpcFrameWriter}. */
enum FrameKind {
    /** A request; the detail is the time until its deadline in milliseconds, 0 for none. */
    REQUEST(0),
    /** The response of a handler. */
    RESPONSE(1),
    /** The response that a request failed; the detail is the code of an {@link RpcFailure}, the payload a text. */
    ERROR(2),
    /** The client has lost interest; there is a response even so. */
    CANCEL(3);

    private static final FrameKind[] ALL = values();

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Returns the kind of a code, null for an unknown one. */
    static @Nullable FrameKind of(int code) {
        for (FrameKind each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }
}
