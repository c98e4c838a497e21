package dev.sluice.config.model;

import java.net.SocketAddress;

/**
 * One server of a backend.
 *
 * @param address of a server, as {@link BackendConfig#servers()} describes it
 * @param weight the share of connections, beside the weights of the other servers: 1 to {@link #WEIGHT_MAX}
 * @param role the time when it is used
 */
public record ServerConfig(SocketAddress address, int weight, Role role) {
    /** The weight of a server without one. */
    public static final int DEFAULT_WEIGHT = 1;

    /** The largest weight: that of HAProxy. */
    public static final int WEIGHT_MAX = 256;

    /** The times at which a server is used. */
    public enum Role {
        /** Always. */
        PRIMARY,
        /** While no primary server is usable. */
        BACKUP
    }

    /** Returns a primary server of the default weight. */
    public static ServerConfig of(SocketAddress address) {
        return new ServerConfig(address, DEFAULT_WEIGHT, Role.PRIMARY);
    }

    /** Returns the address as the configuration and messages write it. */
    public String text() {
        return BackendConfig.text(address);
    }

    /** Returns true for a server that stands in for the others. */
    public boolean isBackup() {
        return role == Role.BACKUP;
    }
}
