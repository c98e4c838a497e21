package dev.sluice.gateway.config;

/** Which of a backend's servers a connection goes to. Each event loop decides by what it sees itself. */
public enum Balance {
    /** One after the other. */
    ROUND_ROBIN,
    /** The one with the fewest open connections of this loop; among equals, one after the other. */
    LEAST_CONNECTIONS,
    /**
     * The same for all connections from one address, IPv6 by /64, on all loops and all nodes with these servers. When one
     * leaves, only its clients go elsewhere.
     */
    HASH
}
