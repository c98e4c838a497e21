package dev.sluice.config.model;

import dev.sluice.ffi.libc.InetText;
import java.net.InetSocketAddress;
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

    /**
     * Returns what identifies the server for people, in labels and commands: its address in numbers, or its name as the
     * configuration writes it while that has no address.
     */
    public String text() {
        return text(address);
    }

    /** Returns the name by which the server was found, with its port; {@link #text()} where it has no name. */
    public String foundBy() {
        return BackendConfig.text(address);
    }

    /** Returns true when people may mean this server: by its address, or by the name of all servers of that name. */
    public boolean isCalled(String server) {
        return text().equals(server) || foundBy().equals(server);
    }

    /** Returns {@link #text()} of an address. */
    public static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet && !inet.isUnresolved()
                ? InetText.of(inet)
                : BackendConfig.text(address);
    }

    /** Returns true for a server that stands in for the others. */
    public boolean isBackup() {
        return role == Role.BACKUP;
    }
}
