package dev.sluice.config.model;

/** The servers that sessions can be shared with, given the same ticket keys. */
public enum SessionSharing {
    /** Other nodes of Sluice only. */
    NONE,
    /** The module {@code http} of nginx. */
    NGINX,
    /** The module {@code stream} of nginx. */
    NGINX_STREAM,
    /** HAProxy. */
    HAPROXY
}
