package dev.sluice.net.internal;

/** Facts known of an endpoint's descriptor: one bit each, for sets. */
final class Readiness {
    /** A receive may find something. Only with epoll. */
    static final byte READABLE = 1;

    /** A send may find room. Only with epoll. */
    static final byte WRITABLE = 2;

    /** The peer has ended or broken the connection: a short receive does not mean that nothing more is to be read. */
    static final byte HANGUP = 4;

    /** Both directions have ended, or an error is pending: no event can come any more. */
    static final byte BROKEN = 8;

    /** Set until it is examined what {@link #HANGUP} and {@link #BROKEN} mean for what has been read so far. */
    static final byte UNEXAMINED = 16;

    /** It stands in the queue of {@link UnwatchedEndpoints}. */
    static final byte QUEUED_UNWATCHED = 32;

    private Readiness() {}
}
