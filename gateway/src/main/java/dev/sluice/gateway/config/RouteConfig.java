package dev.sluice.gateway.config;

/**
 * Leads connections that match to a backend.
 *
 * @param serverName the server name that the client must ask for
 * @param alpn the protocol that must have been negotiated; "" for any
 * @param backend where matching connections go
 */
public record RouteConfig(ServerNamePattern serverName, String alpn, BackendConfig backend) {
    /** The route that every connection matches. */
    public static RouteConfig toAll(BackendConfig backend) {
        return new RouteConfig(ServerNamePattern.ANY, "", backend);
    }

    /**
     * Whether a connection goes this way.
     *
     * @param clientServerName what the client asked for, lower case; "" when it did not
     * @param negotiated the protocol chosen by ALPN; "" when none
     */
    public boolean matches(String clientServerName, String negotiated) {
        return serverName.matches(clientServerName) && (alpn.isEmpty() || alpn.equals(negotiated));
    }

    /** Whether every connection goes this way. */
    public boolean matchesAll() {
        return serverName.equals(ServerNamePattern.ANY) && alpn.isEmpty();
    }
}
