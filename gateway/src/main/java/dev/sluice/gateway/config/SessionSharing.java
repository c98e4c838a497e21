package dev.sluice.gateway.config;

/** With what kind of server sessions are shared, whose key files are ours too. */
public enum SessionSharing {
    /** With other nodes of Sluice. */
    NONE,
    /** With nginx, its module {@code http}. */
    NGINX,
    /** With nginx, its module {@code stream}. */
    NGINX_STREAM,
    /** With HAProxy. */
    HAPROXY
}
