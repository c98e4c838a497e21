package dev.sluice.config.model;

/** The choices of what protects the records of a listener's connections behind the handshake. */
public enum RecordProtection {
    /** The gateway. */
    DIRECT,
    /** The kernel, where it has TLS, or no start. A connection that the kernel cannot take stays with the gateway. */
    KERNEL,
    /** The kernel, where it has TLS and can take the connection, else the gateway. */
    AUTO
}
