package dev.sluice.gateway.session;

import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.gateway.backend.BackendPool;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The router of one listener's connections to backends: the first route that matches decides. */
public final class Router {
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

    /** Holds the backends that this router leads to, so that connections may go there from now on. */
    void hold() {
        routes.forEach(route -> route.pool().hold());
    }

    /**
     * No more connections go where it leads to.
     *
     * @param unused told of each backend that nobody leads to any more
     */
    void release(Consumer<BackendPool> unused) {
        for (Route route : routes) {
            if (route.pool().release()) {
                unused.accept(route.pool());
            }
        }
    }

    /**
     * Returns the backend for a connection.
     *
     * @param serverName as the client sent it; "" when it did not
     * @param alpn the protocol negotiated; "" when none
     * @return null when no route matches
     */
    public @Nullable BackendPool route(String serverName, String alpn) {
        String normalized = ServerNamePattern.normalized(serverName);
        for (Route route : routes) {
            if (route.config().matches(normalized, alpn)) {
                return route.pool();
            }
        }
        return null;
    }
}
