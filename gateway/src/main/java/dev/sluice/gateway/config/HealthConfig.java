package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * How a backend's servers are asked whether they are well, without a client.
 *
 * @param kind what is asked
 * @param path what is asked for by {@link Kind#HTTP}, such as {@code /health}
 * @param host the host field of that request; "" for the server's own address
 * @param interval from the end of one check to the begin of the next, give or take a tenth
 * @param timeout how long a check may take in all
 * @param rise how many checks in a row must pass for a server that is down to be up
 * @param fall how many checks in a row must fail for a server that is up to be down
 */
public record HealthConfig(
        Kind kind, String path, String host, Duration interval, Duration timeout, int rise, int fall) {
    /** A connect every 2 s, which may take 1 s; two make a server come back, three failed ones take it out. */
    public static final HealthConfig DEFAULT =
            new HealthConfig(Kind.CONNECT, "/", "", Duration.ofSeconds(2), Duration.ofSeconds(1), 2, 3);

    /** What a check consists of. */
    public enum Kind {
        /** A connection that is made, and closed. */
        CONNECT,
        /** A TLS handshake besides, as for clients' connections. */
        TLS,
        /** A request, over TLS where the backend has that, which must be answered by 2xx or 3xx. */
        HTTP
    }
}
