package dev.sluice.gateway.config;

/** Whether clients prove who they are by certificate. */
public enum ClientAuth {
    /** No certificate is asked for. */
    NONE,
    /** A certificate is asked for; one that is sent must verify. */
    OPTIONAL,
    /** No certificate, no connection. */
    REQUIRED
}
