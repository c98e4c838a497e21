package dev.sluice.gateway.config;

/** What becomes of early data (0-RTT), which somebody may have recorded and sent again. */
public enum EarlyDataMode {
    /** It is refused: the client sends it again behind its handshake. */
    OFF,
    /** It waits until the client has proven to be there. */
    HOLD,
    /** What was never seen before goes to the backend at once, marked; the rest is refused, or waits. */
    FORWARD
}
