package dev.sluice.gateway;

import dev.sluice.gateway.config.RouteConfig;
import dev.sluice.gateway.config.ServerNamePattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leads the connections of one listener to backends: the first route that matches decides. */
final class Router {
    private final List<Route> routes;

    /**
     * A route with this loop's view of its backend.
     *
     * @param config what connections match
     * @param pool where they go
     */
    record Route(RouteConfig config, BackendPool pool) {}

    Router(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /**
     * Where a connection goes.
     *
     * @param serverName as the client sent it; "" when it did not
     * @param alpn the protocol negotiated; "" when none
     * @return null when no route matches
     */
    @Nullable
    BackendPool route(String serverName, String alpn) {
        String normalized = ServerNamePattern.normalized(serverName);
        for (Route route : routes) {
            if (route.config().matches(normalized, alpn)) {
                return route.pool();
            }
        }
        return null;
    }
}
