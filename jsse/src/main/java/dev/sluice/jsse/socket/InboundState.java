package dev.sluice.jsse.socket;

/** The states of the direction from the peer. */
enum InboundState {
    /** Data may arrive. */
    OPEN,
    /** The peer sent close_notify, or closed its transport. */
    ENDED,
    /** It was closed on this side. */
    CLOSED
}
