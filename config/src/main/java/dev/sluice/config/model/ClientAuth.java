package dev.sluice.config.model;

/** The modes of client authentication by certificate. */
public enum ClientAuth {
    /** No certificate is requested. */
    NONE,
    /** A certificate is requested; one that is sent must verify. */
    OPTIONAL,
    /** A certificate is required. */
    REQUIRED
}
