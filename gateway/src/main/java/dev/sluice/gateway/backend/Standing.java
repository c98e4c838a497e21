package dev.sluice.gateway.backend;

import dev.sluice.config.model.ServerConfig;
import java.util.Arrays;
import java.util.List;

/**
 * The health and the weights of a backend's servers at one moment, by which loops choose one. Immutable; made anew when
 * a server changes, which is rare, and read with every connection. What only time changes, the return of a server,
 * needs no new one.
 */
final class Standing {
    /** The least share of a server that has just come back: some connections must show that it works. */
    static final double LEAST_SHARE = 0.1;

    private final Server[] servers;
    private final ServerConfig[] configs;
    private final long slowStartNanos;
    private final boolean allWell;

    /**
     * One server.
     *
     * @param down whether checks have found it down
     * @param away whether it was ejected, and no connection has shown since that it is back
     * @param awayUntil until when it is passed over, if it is away
     * @param backSince since when it takes connections again; meaningful when it is returning
     * @param returning whether it has come back at all
     * @param troubled whether a connect that succeeds must be told
     * @param unresolved whether its name has no address, so that nobody can connect to it
     * @param mode the mode in which operators have it used
     */
    record Server(
            boolean down,
            boolean away,
            long awayUntil,
            long backSince,
            boolean returning,
            boolean troubled,
            boolean unresolved,
            ServerMode mode) {
        static final Server WELL = new Server(false, false, 0, 0, false, false, false, ServerMode.ENABLED);

        /** Returns true when a connection may be tried at all. */
        boolean isOpen() {
            return !unresolved && mode == ServerMode.ENABLED;
        }
    }

    /**
     * Creates a snapshot.
     *
     * @param servers the health of each server
     * @param configs weight and role of each server
     * @param slowStartNanos how long a server that comes back takes to get its full share
     */
    Standing(Server[] servers, List<ServerConfig> configs, long slowStartNanos) {
        this.servers = servers.clone();
        this.configs = configs.toArray(ServerConfig[]::new);
        this.slowStartNanos = slowStartNanos;
        this.allWell = Arrays.stream(servers).allMatch(Server.WELL::equals);
    }

    /** Returns true for a server that may be tried when none is usable: it is enabled and has an address. */
    boolean isOpen(int server) {
        return allWell || servers[server].isOpen();
    }

    /** Returns the mode in which operators have a server used. */
    ServerMode mode(int server) {
        return servers[server].mode();
    }

    /** Returns true when a server is to be tried before those that are not usable. */
    boolean isUsable(int server, long now) {
        return share(server, now) > 0;
    }

    /**
     * Returns the share of a server: 0 when it is out, less than 1 when it has just come back.
     *
     * @param now as of {@link System#nanoTime()}
     */
    double share(int server, long now) {
        if (allWell) {
            return 1;
        }
        Server state = servers[server];
        if (!state.isOpen() || state.down() || (state.away() && now - state.awayUntil() < 0)) {
            return 0;
        }
        if (slowStartNanos == 0 || !(state.away() || state.returning())) {
            return 1;
        }
        long since = now - (state.away() ? state.awayUntil() : state.backSince());
        return Math.clamp((double) since / slowStartNanos, LEAST_SHARE, 1.0);
    }

    /** Returns the weight of a server. */
    int weight(int server) {
        return configs[server].weight();
    }

    /** Returns true for a server that is used only while the others are out. */
    boolean isBackup(int server) {
        return configs[server].isBackup();
    }

    boolean isTroubled(int server) {
        return servers[server].troubled();
    }
}
