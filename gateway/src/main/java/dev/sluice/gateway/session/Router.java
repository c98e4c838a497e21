package dev.sluice.gateway.session;

import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.tls.context.ClientHelloNames;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The router of one listener's connections to backends: the first route that matches decides. */
public final class Router {
    private final List<Route> routes;
    private final boolean connectsAtHello;

    /**
     * A route with this loop's view of its backend.
     *
     * @param config what connections match
     * @param pool where they go
     */
    record Route(RouteConfig config, BackendPool pool) {}

    Router(List<Route> routes) {
        this.routes = List.copyOf(routes);
        this.connectsAtHello = this.routes.stream().anyMatch(Router::connectsAtHello);
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

    /** Returns the backend of a listener that has one alone. */
    BackendPool only() {
        return routes.getFirst().pool();
    }

    /**
     * Returns the route of a connection whose TLS is passed through; null when it is terminated, or matches none.
     *
     * @param hello the names that the client sent
     * @param negotiated the protocol that would be negotiated if it were terminated; "" when none
     */
    @Nullable
    Route passthrough(ClientHelloNames hello, String negotiated) {
        String normalized = ServerNamePattern.normalized(hello.serverName());
        for (Route route : routes) {
            boolean passes = route.config().passes();
            if (passes
                    ? route.config().matches(normalized, hello.alpn())
                    : route.config().matches(normalized, negotiated)) {
                return passes ? route : null;
            }
        }
        return null;
    }

    /** Returns true when a backend is to be connected to as soon as a ClientHello has come. */
    boolean connectsAtHello() {
        return connectsAtHello;
    }

    /**
     * Returns the backend that is to be connected to when a handshake starts; null when none is, and when only the
     * handshake decides the route, by the protocol that it negotiates.
     *
     * @param serverName as in the ClientHello; "" when there is none
     */
    @Nullable
    BackendPool routeAtHello(String serverName) {
        String normalized = ServerNamePattern.normalized(serverName);
        for (Route route : routes) {
            RouteConfig config = route.config();
            if (!config.passes() && config.serverName().matches(normalized)) {
                return config.alpn().isEmpty() && connectsAtHello(route) ? route.pool() : null;
            }
        }
        return null;
    }

    private static boolean connectsAtHello(Route route) {
        return route.pool().config().connect() == ConnectMode.AT_HELLO;
    }

    /**
     * Returns the backend for a connection whose TLS is terminated.
     *
     * @param serverName as the client sent it; "" when it did not
     * @param alpn the protocol negotiated; "" when none
     * @return null when no route matches
     */
    public @Nullable BackendPool route(String serverName, String alpn) {
        String normalized = ServerNamePattern.normalized(serverName);
        for (Route route : routes) {
            if (!route.config().passes() && route.config().matches(normalized, alpn)) {
                return route.pool();
            }
        }
        return null;
    }
}
