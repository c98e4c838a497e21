package dev.sluice.jsse.socket;

/** The states of a socket from its connection to its end. */
enum SocketLifecycle {
    /** In use. */
    OPEN,
    /** A thread is closing it, and may still send an alert. */
    CLOSING,
    /** Closed: whoever leaves a direction last frees what the direction holds. */
    CLOSED
}
