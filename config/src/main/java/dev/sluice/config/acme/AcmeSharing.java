package dev.sluice.config.acme;

/** The gateways that share an account and certificates. */
public enum AcmeSharing {
    /** Those that share the directory. */
    LOCAL,
    /** All nodes of the fleet that shares ticket keys. */
    TICKETS
}
