package dev.sluice.tls.engine;

/** The events of an engine: calls from its owner, and results from libssl or the peer. */
enum EngineEvent {
    /** {@link TlsEngine#handshake()} is called. */
    HANDSHAKE,
    /** libssl accepts 0-RTT data. */
    EARLY_DATA_ACCEPTED,
    /** The client's EndOfEarlyData arrived. */
    EARLY_DATA_ENDED,
    /** libssl reports a complete handshake. */
    ESTABLISHED,
    /** {@link TlsEngine#read} is called. */
    READ,
    /** {@link TlsEngine#write} is called. */
    WRITE,
    /** {@link TlsEngine#closeOutput()} is called. */
    CLOSE_OUTPUT,
    /** Our close_notify was passed to the transport side. */
    CLOSE_NOTIFY_SENT,
    /** The peer's close_notify arrived. */
    CLOSE_NOTIFY_RECEIVED,
    /** A failure broke the connection. */
    FAIL,
    /** {@link TlsEngine#close()} is called. */
    CLOSE
}
