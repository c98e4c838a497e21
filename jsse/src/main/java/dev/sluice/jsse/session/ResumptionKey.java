package dev.sluice.jsse.session;

import org.jspecify.annotations.Nullable;

/**
 * The connections that may resume a client's session: to the same server, under the same settings.
 *
 * @param host the peer as the application names it
 * @param serverName the name sent by SNI; "" for none
 * @param settings compares equal for equal settings
 * @param endpointIdentification the algorithm by which the server's name was checked; null for none
 */
public record ResumptionKey(
        String host,
        int port,
        String serverName,
        Object settings,
        @Nullable String endpointIdentification) {}
