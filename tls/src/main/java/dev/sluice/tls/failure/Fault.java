package dev.sluice.tls.failure;

/** The party to blame for the end of a connection. */
public enum Fault {
    /** Nobody: both sides ended in order. */
    NONE("none"),
    /** The peer broke the protocol or went away. */
    PEER_MISBEHAVED("peer"),
    /** The peer follows the protocol but shares no version, suite, group or trust with us. */
    PEER_INCOMPATIBLE("peer"),
    /** The network, the operating system, a limit of the configuration, or the OpenSSL found here. */
    ENVIRONMENT("environment"),
    /** Our own code. */
    OURS("internal");

    private final String label;

    Fault(String label) {
        this.label = label;
    }

    /** Returns the value of the label {@code fault} in metrics; both faults of a peer have the same. */
    public String label() {
        return label;
    }
}
