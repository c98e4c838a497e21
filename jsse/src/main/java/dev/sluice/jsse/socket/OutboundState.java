package dev.sluice.jsse.socket;

/** The states of the direction to the peer. */
enum OutboundState {
    /** Data may be sent. */
    OPEN,
    /** The transport failed in the middle of a record; the other direction may still deliver what the peer sent. */
    BROKEN,
    /** close_notify was sent, or is not to be sent any more. */
    CLOSED
}
