package dev.sluice.interop.peer;

/** How a client was told that no more comes. */
public enum PeerEnd {
    /** By a close_notify: what came is complete. */
    CLOSE_NOTIFY,
    /** By the end of the TCP stream, without a close_notify. */
    TRUNCATED,
    /** By a reset of the TCP connection. */
    RESET,
    /** By anything else, such as an alert: {@link PeerConnection#trouble} tells. */
    ERROR
}
