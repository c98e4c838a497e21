package dev.sluice.config.model;

/** The load-balancing policies of a backend. Each event loop decides by what it sees itself. */
public enum Balance {
    /** Each server in turn. */
    ROUND_ROBIN,
    /** The server with the fewest open connections of this loop; among equals, each in turn. */
    LEAST_CONNECTIONS,
    /**
     * The same server for all connections from one address, IPv6 by /64, on all loops and all nodes with these servers.
     * When a server goes down, only its clients move.
     */
    HASH
}
