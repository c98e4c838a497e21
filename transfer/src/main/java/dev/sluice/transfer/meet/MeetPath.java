package dev.sluice.transfer.meet;

/** The way on which two peers have met. */
public enum MeetPath {
    /** A connection to an address that was given, or to one that the host showed. */
    DIRECT,
    /** A connection to an address that answered in the local network. */
    LAN,
    /** Through a relay. */
    RELAY
}
