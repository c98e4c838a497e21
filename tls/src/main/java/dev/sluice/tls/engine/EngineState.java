package dev.sluice.tls.engine;

/** The states of a TLS connection; {@link StateMachine} defines the transitions. */
public enum EngineState {
    /** New; nothing sent or received. */
    NEW,
    /** Exchanging handshake messages. */
    HANDSHAKE,
    /**
     * A server reads early data before the client's Finished; the data may be a replay. Only {@link
     * BufferedEngine#handshake(long, int)} delivers it; writing is possible.
     */
    EARLY_DATA,
    /** Application data flows in both directions. */
    OPEN,
    /** We have sent close_notify: reading continues. */
    CLOSING_SENT,
    /** The peer has sent close_notify: writing continues. */
    CLOSING_RECEIVED,
    /** Both directions have seen close_notify, or the engine was closed. */
    CLOSED,
    /** Failed for good; {@link TlsEngine#failure()} has the reason. */
    FAILED
}
