package dev.sluice.gateway.admin;

import dev.sluice.gateway.admin.Administered.RefusedException;
import dev.sluice.gateway.metrics.MetricText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** The table of paths: what each one serves, and who may access it. */
final class Routes {
    private static final String HEALTH = "/healthz";
    private static final String READINESS = "/readyz";

    /** A reload reads certificates, which may be thousands. */
    private static final Duration RELOAD_TIME = Duration.ofMinutes(2);

    /** The clients that may use a path. */
    private enum Access {
        /** Access for every client that reaches the endpoint: the answer is a single word. */
        OPEN,
        /** Access for clients that present the token, where one is configured. */
        TOKEN
    }

    /** Answers a request that may be answered. */
    @FunctionalInterface
    private interface Action {
        void answer(AdminExchange exchange) throws IOException, InterruptedException, RefusedException;
    }

    private record Route(String method, Access access, Action action) {}

    private final Administered gateway;
    private final Sampler sampler;
    private final EventStreams streams;
    private final Guard guard;
    private final Map<String, Route> routes;

    Routes(Administered gateway, Sampler sampler, EventStreams streams, Guard guard) {
        this.gateway = gateway;
        this.sampler = sampler;
        this.streams = streams;
        this.guard = guard;
        BackendRoutes backends = new BackendRoutes(gateway.backends());
        this.routes = Map.ofEntries(
                Map.entry(HEALTH, new Route("GET", Access.OPEN, this::health)),
                Map.entry(READINESS, new Route("GET", Access.OPEN, this::readiness)),
                Map.entry("/metrics", new Route("GET", Access.TOKEN, this::metrics)),
                Map.entry("/config", new Route("GET", Access.TOKEN, this::configuration)),
                Map.entry("/api/snapshot", new Route("GET", Access.TOKEN, this::snapshot)),
                Map.entry("/events", new Route("GET", Access.TOKEN, this::events)),
                Map.entry("/reload", new Route("POST", Access.TOKEN, this::reload)),
                Map.entry(BackendRoutes.LIST, new Route("GET", Access.TOKEN, backends::list)),
                Map.entry(BackendRoutes.DRAIN, new Route("POST", Access.TOKEN, backends::drain)),
                Map.entry(BackendRoutes.DISABLE, new Route("POST", Access.TOKEN, backends::disable)),
                Map.entry(BackendRoutes.ENABLE, new Route("POST", Access.TOKEN, backends::enable)),
                Map.entry(BackendRoutes.WEIGHT, new Route("POST", Access.TOKEN, backends::weight)));
    }

    /** True for what others decide by whether this gateway is well: asked often, answered by a word. */
    static boolean isHealth(AdminRequest request) {
        return request.path().equals(HEALTH) || request.path().equals(READINESS);
    }

    /** Answers a request. */
    void handle(AdminExchange exchange) {
        try {
            answer(exchange, exchange.request().path());
        } catch (RefusedException refused) {
            tell(exchange, 409, String.valueOf(refused.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException gone) {
            // The client went away: its own right.
        } catch (RuntimeException e) {
            tell(exchange, 500, "an error of our own, please report it: " + e);
        }
    }

    private static void tell(AdminExchange exchange, int status, String message) {
        try {
            Replies.text(exchange, status, message);
        } catch (IOException goneOrBegun) {
            // Nobody is there, or the answer has begun, and breaks off.
        }
    }

    private void answer(AdminExchange exchange, String path)
            throws IOException, InterruptedException, RefusedException {
        Assets.Asset asset = Assets.at(path);
        Route route = routes.get(path);
        Guard.Refusal refusal = guard.ofOrigin(exchange.request(), asset != null);
        if (refusal != null) {
            Replies.text(exchange, refusal.status(), refusal.message());
        } else if (asset != null) {
            if (methodIs(exchange, "GET")) {
                Replies.send(exchange, 200, asset.type(), asset.content());
            }
        } else if (route == null) {
            Replies.text(
                    exchange,
                    404,
                    "there is / and "
                            + String.join(
                                    ", ", routes.keySet().stream().sorted().toList()));
        } else if (methodIs(exchange, route.method()) && mayPass(exchange, route)) {
            route.action().answer(exchange);
        }
    }

    private static boolean methodIs(AdminExchange exchange, String wanted) throws IOException {
        String method = exchange.request().method();
        if (method.equals(wanted) || (exchange.request().isHead() && wanted.equals("GET"))) {
            return true;
        }
        exchange.header("Allow", wanted.equals("GET") ? "GET, HEAD" : wanted);
        Replies.text(exchange, 405, "this is for " + wanted + ", not for " + method);
        return false;
    }

    private boolean mayPass(AdminExchange exchange, Route route) throws IOException {
        Guard.Refusal refusal = route.access() == Access.OPEN ? null : guard.ofToken(exchange.request());
        if (refusal == null) {
            return true;
        }
        if (refusal.status() == 401) {
            exchange.header("WWW-Authenticate", "Bearer");
        }
        Replies.text(exchange, refusal.status(), refusal.message());
        return false;
    }

    private void health(AdminExchange exchange) throws IOException, InterruptedException {
        boolean well = gateway.responds();
        Replies.text(exchange, well ? 200 : 503, well ? "ok" : "an event loop does not respond");
    }

    private void readiness(AdminExchange exchange) throws IOException {
        switch (gateway.state()) {
            case SERVING -> Replies.text(exchange, 200, "ready");
            case STARTING -> Replies.text(exchange, 503, "starting");
            case WARMING -> Replies.text(exchange, 503, "warming");
            case DRAINING -> Replies.text(exchange, 503, "draining");
        }
    }

    private void metrics(AdminExchange exchange) throws IOException {
        String accept = exchange.request().header("Accept");
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            MetricText.write(gateway.metrics(), accept, text);
        } catch (IllegalStateException libraryIsAbsent) {
            Replies.text(exchange, 501, String.valueOf(libraryIsAbsent.getMessage()));
            return;
        }
        Replies.send(exchange, 200, MetricText.contentType(accept), text.toByteArray());
    }

    private void configuration(AdminExchange exchange) throws IOException, RefusedException {
        String yaml = gateway.configuration();
        if (yaml == null) {
            Replies.text(exchange, 404, "this gateway was not started with a configuration file");
        } else {
            Replies.send(exchange, 200, "application/yaml; charset=utf-8", yaml.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void snapshot(AdminExchange exchange) throws IOException {
        Replies.send(exchange, 200, "application/json", sampler.snapshot().getBytes(StandardCharsets.UTF_8));
    }

    private void events(AdminExchange exchange) throws IOException {
        if (!streams.enter()) {
            Replies.text(
                    exchange, 503, EventStreams.STREAMS_MAX + " watch already; close a dashboard that nobody looks at");
            return;
        }
        try {
            streams.serve(exchange, sampler::snapshot);
        } finally {
            streams.leave();
        }
    }

    private void reload(AdminExchange exchange) throws IOException, RefusedException {
        exchange.allow(RELOAD_TIME);
        String told = gateway.reload();
        exchange.extend();
        Replies.text(exchange, 200, told);
    }
}
