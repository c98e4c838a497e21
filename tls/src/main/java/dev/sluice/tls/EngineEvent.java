package dev.sluice.tls;

/** What can happen to an engine: calls from above, and what the peer or libssl made of them. */
enum EngineEvent {
    /** {@link TlsEngine#handshake()} is called. */
    HANDSHAKE,
    /** libssl accepts 0-RTT data. */
    EARLY_DATA_ACCEPTED,
    /** The client's EndOfEarlyData came. */
    EARLY_DATA_ENDED,
    /** libssl says that the handshake is complete. */
    ESTABLISHED,
    /** {@link TlsEngine#read} is called. */
    READ,
    /** {@link TlsEngine#write} is called. */
    WRITE,
    /** {@link TlsEngine#closeOutput()} is called. */
    CLOSE_OUTPUT,
    /** Our close_notify was handed to the transport side. */
    CLOSE_NOTIFY_SENT,
    /** The peer's close_notify came. */
    CLOSE_NOTIFY_RECEIVED,
    /** Something broke the connection. */
    FAIL,
    /** {@link TlsEngine#close()} is called. */
    CLOSE
}
