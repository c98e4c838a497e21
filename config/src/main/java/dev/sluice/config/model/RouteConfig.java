package dev.sluice.config.model;

import java.util.List;

/**
 * A route: the backend of connections that match.
 *
 * @param serverName the server name that the client must send
 * @param alpn the protocol that must have been negotiated, or be offered where TLS is passed through; "" for any
 * @param backend the backend of matching connections
 * @param tls the handling of the TLS of matching connections
 */
public record RouteConfig(ServerNamePattern serverName, String alpn, BackendConfig backend, RouteTls tls) {
    /** Creates a route of connections whose TLS is terminated. */
    public RouteConfig(ServerNamePattern serverName, String alpn, BackendConfig backend) {
        this(serverName, alpn, backend, RouteTls.TERMINATE);
    }

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

    /**
     * Returns true for a connection that matches, whose protocol is not negotiated here.
     *
     * @param offered the protocols that the client offers by ALPN
     */
    public boolean matches(String clientServerName, List<String> offered) {
        return serverName.matches(clientServerName) && (alpn.isEmpty() || offered.contains(alpn));
    }

    /** Returns true when TLS is passed through. */
    public boolean passes() {
        return tls == RouteTls.PASSTHROUGH;
    }

    /** Returns true when every connection matches. */
    public boolean matchesAll() {
        return serverName.equals(ServerNamePattern.ANY) && alpn.isEmpty();
    }
}
