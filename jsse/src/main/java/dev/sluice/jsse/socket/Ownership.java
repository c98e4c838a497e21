package dev.sluice.jsse.socket;

/** The relation of a TLS socket to its transport. */
enum Ownership {
    /** The transport is closed with the socket. */
    OWNED,
    /**
     * The transport stays open, and its caller may use it after the close: nothing beyond the last record is read.
     */
    BORROWED
}
