package dev.sluice.config.model;

/** The treatments of early data (0-RTT), which an attacker may have recorded and replayed. */
public enum EarlyDataMode {
    /** Rejected: the client sends it again after its handshake. */
    OFF,
    /** Held until the client's Finished, which an attacker cannot replay. */
    HOLD,
    /** Forwarded to the backend at once, marked, unless the replay check has seen it; otherwise rejected or held. */
    FORWARD
}
