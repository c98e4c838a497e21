package dev.sluice.gateway.backend;

import dev.sluice.config.model.ServerConfig;
import java.util.Locale;

/**
 * The status of one server of a backend.
 *
 * @param backend the backend's name
 * @param config its address, weight and role
 * @param state whether it is used
 * @param reason why it is not; "" when it is
 */
public record ServerStatus(String backend, ServerConfig config, State state, String reason) {
    /** Returns its address, as the configuration writes it. */
    public String server() {
        return config.text();
    }

    /** Returns the name that identifies the server: backend and address. */
    public String name() {
        return backend + ' ' + server();
    }

    /** State and reason. */
    public String text() {
        return state.name().toLowerCase(Locale.ROOT) + (reason.isEmpty() ? "" : ": " + reason);
    }

    /** The state of a server: used or not. */
    public enum State {
        /** It takes connections, as far as is known. */
        UP,
        /** Checks have found it down, or its name has no address. */
        DOWN,
        /** Passed over for a while, since it took no connections. */
        EJECTED
    }
}
