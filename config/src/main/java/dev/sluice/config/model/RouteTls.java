package dev.sluice.config.model;

/** The ways to treat the TLS of connections that a route matches. */
public enum RouteTls {
    /** The gateway answers the handshake, and the backend receives the plaintext. */
    TERMINATE,
    /** The connection goes to the backend as it is. */
    PASSTHROUGH
}
