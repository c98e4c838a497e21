package dev.sluice.net.peer;

/** The reactions to a peer that does not take what is written to it. */
public enum BackPressure {
    /**
     * Receives nothing from the peer while more than the high-water mark is queued for it. The default of servers,
     * whose output is an answer to what they receive.
     */
    HOLD_BACK,

    /**
     * Receives whatever is queued. The default of clients: if both sides of a connection held back, neither would take
     * what the other has queued.
     */
    KEEP_RECEIVING
}
