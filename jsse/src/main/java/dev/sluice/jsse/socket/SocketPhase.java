package dev.sluice.jsse.socket;

/** The phases of a connection's handshake. */
enum SocketPhase {
    /** Nothing has been sent or received. */
    NEW,
    /** The initial handshake has begun; a timeout leaves it here, and it can be continued. */
    HANDSHAKING,
    /** The initial handshake is complete. */
    ESTABLISHED,
    /** A fatal error ended the connection. */
    FAILED
}
