package dev.sluice.tls;

/** Where a TLS connection stands; the events that lead from one to the next are in {@link StateMachine}. */
public enum EngineState {
    /** Made; nothing sent or received. */
    NEW,
    /** Handshake messages are being exchanged. */
    HANDSHAKE,
    /**
     * A server reads early data, before the client's Finished: whoever sent it may have recorded it from somebody else. It is
     * handed out by {@link BufferedEngine#handshake(long, int)} and by nothing else; writing goes on already.
     */
    EARLY_DATA,
    /** Application data flows both ways. */
    OPEN,
    /** We have sent close_notify: only reading goes on. */
    CLOSING_SENT,
    /** The peer has sent close_notify: only writing goes on. */
    CLOSING_RECEIVED,
    /** Both directions have seen close_notify, or the engine was closed. */
    CLOSED,
    /** Broken for good; {@link TlsEngine#failure()} says why. */
    FAILED
}
