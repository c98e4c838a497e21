package dev.sluice.config.model;

import java.time.Duration;

/**
 * The health checks of a backend's servers.
 *
 * @param kind the kind of check
 * @param path the path of the request of {@link Kind#HTTP}, such as {@code /health}
 * @param host the host field of that request; "" for the server's own address
 * @param interval the time from the end of one check to the start of the next, give or take a tenth
 * @param timeout the time limit of a whole check
 * @param rise the number of consecutive checks that must pass before a server is up
 * @param fall the number of consecutive checks that must fail before a server is down
 */
public record HealthConfig(
        Kind kind, String path, String host, Duration interval, Duration timeout, int rise, int fall) {
    /** A connect every 2 s within 1 s; two that pass bring a server up, three that fail take it down. */
    public static final HealthConfig DEFAULT =
            new HealthConfig(Kind.CONNECT, "/", "", Duration.ofSeconds(2), Duration.ofSeconds(1), 2, 3);

    /** The kinds of checks. */
    public enum Kind {
        /** A TCP connect. */
        CONNECT,
        /** A TLS handshake, as for clients' connections. */
        TLS,
        /** A request, over TLS where the backend has it, that must be answered by 2xx or 3xx. */
        HTTP
    }
}
