package dev.sluice.net.internal;

/** What a transport does on an endpoint: one bit each, for sets. */
final class Operation {
    static final int ACCEPT = 1;
    static final int CONNECT = 2;
    static final int RECEIVE = 4;
    static final int SEND = 8;

    private Operation() {}
}
