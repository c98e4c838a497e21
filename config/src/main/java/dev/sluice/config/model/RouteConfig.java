package dev.sluice.config.model;

/**
 * A route: the backend of connections that match.
 *
 * @param serverName the server name that the client must send
 * @param alpn the protocol that must have been negotiated; "" for any
 * @param backend the backend of matching connections
 */
public record RouteConfig(ServerNamePattern serverName, String alpn, BackendConfig backend) {
    /** Returns a route that matches every connection. */
    public static RouteConfig toAll(BackendConfig backend) {
        return new RouteConfig(ServerNamePattern.ANY, "", backend);
    }

    /**
     * Returns true for a connection that matches.
     *
     * @param clientServerName the server name that the client sent, in lower case; "": none
     * @param negotiated the protocol negotiated by ALPN; "": none
     */
    public boolean matches(String clientServerName, String negotiated) {
        return serverName.matches(clientServerName) && (alpn.isEmpty() || alpn.equals(negotiated));
    }

    /** Returns true when every connection matches. */
    public boolean matchesAll() {
        return serverName.equals(ServerNamePattern.ANY) && alpn.isEmpty();
    }
}
