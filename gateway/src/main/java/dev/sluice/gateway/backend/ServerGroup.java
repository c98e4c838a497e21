package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;

/**
 * The servers that a backend has at one time, as names in its configuration resolve, and their health. Another object
 * takes its place when DNS has other servers, so that the indexes of this one stay valid for whoever uses it.
 */
final class ServerGroup {
    private final BackendConfig config;
    private final BackendHealth health;

    /**
     * Creates a group.
     *
     * @param config the backend's, with an address for each server, or a name that has none yet
     * @param health of these servers, in that order
     */
    ServerGroup(BackendConfig config, BackendHealth health) {
        this.config = config;
        this.health = health;
    }

    BackendConfig config() {
        return config;
    }

    BackendHealth health() {
        return health;
    }
}
