package dev.sluice.gateway.backend;

import dev.sluice.config.model.ServerConfig;
import java.util.Locale;

/**
 * The status of one server of a backend.
 *
 * @param backend the backend's name
 * @param config its address, role and current weight
 * @param mode the mode in which operators have it used
 * @param health the state by connects, checks and its name
 * @param reason why it is down or ejected; "" when it is up
 * @param connections the number of connections to it that are open or being made, on all loops
 */
public record ServerStatus(
        String backend, ServerConfig config, ServerMode mode, Health health, String reason, int connections) {
    /** Returns its address; a name that has none as the configuration writes it. */
    public String server() {
        return config.text();
    }

    /** Returns the name by which it was found, with its port; the address where the configuration has that. */
    public String foundBy() {
        return config.foundBy();
    }

    /** Returns the name that identifies the server: backend and address. */
    public String name() {
        return backend + ' ' + server();
    }

    /** Returns one word for its state: the mode, or of an enabled server the health. */
    public String state() {
        return mode == ServerMode.ENABLED ? health.name().toLowerCase(Locale.ROOT) : mode.word();
    }

    /** State and reason. */
    public String text() {
        return state() + (reason.isEmpty() || mode != ServerMode.ENABLED ? "" : ": " + reason);
    }

    /** The health of a server. */
    public enum Health {
        /** It takes connections, as far as is known. */
        UP,
        /** Checks have found it down, or its name has no address. */
        DOWN,
        /** Passed over for a while, since it took no connections. */
        EJECTED
    }
}
