package dev.sluice.interop.peer;

/** The way in which a client learned that no more data comes. */
public enum PeerEnd {
    /** A close_notify: the data received is complete. */
    CLOSE_NOTIFY,
    /** The end of the TCP stream, without a close_notify. */
    TRUNCATED,
    /** A reset of the TCP connection. */
    RESET,
    /** Anything else, such as an alert: {@link PeerConnection#trouble} tells. */
    ERROR
}
