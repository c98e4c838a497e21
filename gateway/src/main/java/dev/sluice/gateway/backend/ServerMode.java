package dev.sluice.gateway.backend;

import java.util.Locale;

/** The mode in which operators have a server used. */
public enum ServerMode {
    /** It receives connections, as far as its health allows. */
    ENABLED,
    /** It receives no new connections; those that are open stay, and health checks go on. */
    DRAINING,
    /** It receives no new connections and no health checks, for maintenance; connections that are open stay. */
    DISABLED;

    /** Returns the mode as metrics and commands write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
