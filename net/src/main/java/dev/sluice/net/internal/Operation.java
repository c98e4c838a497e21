package dev.sluice.net.internal;

/** The operations of a transport on an endpoint: one bit each, for sets. */
final class Operation {
    static final byte ACCEPT = 1;
    static final byte CONNECT = 2;
    static final byte RECEIVE = 4;
    static final byte SEND = 8;
    /**
     * A poll for a reset or the peer's end, in place of a receive. Never asked for by an endpoint. Only with io_uring.
     */
    static final byte WATCH = 16;

    private Operation() {}
}
