package dev.sluice.tls.record;

/**
 * A reader of the handshake messages that come after a handshake, piece by piece as records bring them: it keeps nothing
 * but its place in a message. Confined to one thread; no call allocates.
 */
interface HandshakeMessageReader {
    /** Result of {@link #read}: nothing to do. */
    int NOTHING = 0;

    /** Result of {@link #read}: the peer has updated its keys. */
    int KEY_UPDATE = 1;

    /** Result of {@link #read}: the peer has updated its keys and asks us to update ours. */
    int KEY_UPDATE_REQUESTED = 2;

    /** Result of {@link #read}: the peer wants another handshake (TLS 1.2), which is to be declined. */
    int RENEGOTIATION = 3;

    /** True when a message has begun whose end has not come. */
    boolean isInsideMessage();

    /** Returns why {@link #read} refused. */
    RecordFault fault();

    /**
     * Reads the content of one record of type handshake.
     *
     * @return one of the results above, or the negated alert that the connection must end with
     */
    int read(long content, int length);
}
