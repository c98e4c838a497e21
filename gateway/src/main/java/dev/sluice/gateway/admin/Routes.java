package dev.sluice.gateway.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.sluice.gateway.admin.Administered.RefusedException;
import dev.sluice.gateway.metrics.MetricText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What there is under which path, and who may have it. */
final class Routes implements HttpHandler {
    /** Nobody has to send a body; what a client sends all the same may be this long. */
    static final int BODY_BYTES_MAX = 1024;

    /** A reload reads certificates, which may be thousands. */
    private static final Duration RELOAD_TIME = Duration.ofMinutes(2);

    /** Whom a path is for. */
    private enum Access {
        /** For everybody who reaches the endpoint: it tells one word. */
        OPEN,
        /** For who shows the token, where there is one. */
        TOKEN
    }

    /** Answers a request that may be answered. */
    @FunctionalInterface
    private interface Action {
        void answer(HttpExchange exchange) throws IOException, InterruptedException, RefusedException;
    }

    private record Route(String method, Access access, Action action) {}

    private final Administered gateway;
    private final Sampler sampler;
    private final EventStreams streams;
    private final ExchangeWatch watch;
    private final Guard guard;
    private final Map<String, Route> routes;

    Routes(Administered gateway, Sampler sampler, EventStreams streams, ExchangeWatch watch, Guard guard) {
        this.gateway = gateway;
        this.sampler = sampler;
        this.streams = streams;
        this.watch = watch;
        this.guard = guard;
        this.routes = Map.of(
                "/healthz", new Route("GET", Access.OPEN, this::health),
                "/readyz", new Route("GET", Access.OPEN, this::readiness),
                "/metrics", new Route("GET", Access.TOKEN, this::metrics),
                "/config", new Route("GET", Access.TOKEN, this::configuration),
                "/api/snapshot", new Route("GET", Access.TOKEN, this::snapshot),
                "/events", new Route("GET", Access.TOKEN, this::events),
                "/reload", new Route("POST", Access.TOKEN, this::reload));
    }

    @Override
    public void handle(HttpExchange exchange) {
        try (exchange) {
            Replies.secure(exchange.getResponseHeaders());
            answerOrTellWhyNot(exchange);
        }
    }

    private void answerOrTellWhyNot(HttpExchange exchange) {
        try {
            answer(exchange, exchange.getRequestURI().getPath());
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

    private static void tell(HttpExchange exchange, int status, String message) {
        try {
            Replies.text(exchange, status, message);
        } catch (IOException goneOrBegun) {
            // Nobody is there, or the answer has begun, and breaks off.
        }
    }

    private void answer(HttpExchange exchange, @Nullable String path)
            throws IOException, InterruptedException, RefusedException {
        Assets.Asset asset = path == null ? null : Assets.at(path);
        Route route = path == null ? null : routes.get(path);
        Guard.Refusal refusal = guard.ofOrigin(exchange.getRequestHeaders(), asset != null);
        if (refusal != null) {
            Replies.text(exchange, refusal.status(), refusal.message());
        } else if (bodyIsTooLong(exchange)) {
            exchange.getResponseHeaders().set("Connection", "close");
            Replies.text(exchange, 413, "a request may have " + BODY_BYTES_MAX + " bytes, and needs none");
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

    /** One that does not tell its length is read as far as it may go. */
    private static boolean bodyIsTooLong(HttpExchange exchange) throws IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        if (length != null && (length.length() > 9 || Long.parseLong(length) > BODY_BYTES_MAX)) {
            return true;
        }
        return exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1).length > BODY_BYTES_MAX;
    }

    private static boolean methodIs(HttpExchange exchange, String wanted) throws IOException {
        String method = exchange.getRequestMethod();
        if (method.equals(wanted) || (method.equals("HEAD") && wanted.equals("GET"))) {
            return true;
        }
        exchange.getResponseHeaders().set("Allow", wanted.equals("GET") ? "GET, HEAD" : wanted);
        Replies.text(exchange, 405, "this is for " + wanted + ", not for " + method);
        return false;
    }

    private boolean mayPass(HttpExchange exchange, Route route) throws IOException {
        Guard.Refusal refusal = route.access() == Access.OPEN ? null : guard.ofToken(exchange.getRequestHeaders());
        if (refusal == null) {
            return true;
        }
        if (refusal.status() == 401) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        }
        Replies.text(exchange, refusal.status(), refusal.message());
        return false;
    }

    private void health(HttpExchange exchange) throws IOException, InterruptedException {
        boolean well = gateway.responds();
        Replies.text(exchange, well ? 200 : 503, well ? "ok" : "an event loop does not respond");
    }

    private void readiness(HttpExchange exchange) throws IOException {
        switch (gateway.state()) {
            case SERVING -> Replies.text(exchange, 200, "ready");
            case STARTING -> Replies.text(exchange, 503, "starting");
            case DRAINING -> Replies.text(exchange, 503, "draining");
        }
    }

    private void metrics(HttpExchange exchange) throws IOException {
        String accept = exchange.getRequestHeaders().getFirst("Accept");
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            MetricText.write(gateway.metrics(), accept, text);
        } catch (IllegalStateException libraryIsAbsent) {
            Replies.text(exchange, 501, String.valueOf(libraryIsAbsent.getMessage()));
            return;
        }
        Replies.send(exchange, 200, MetricText.contentType(accept), text.toByteArray());
    }

    private void configuration(HttpExchange exchange) throws IOException, RefusedException {
        String yaml = gateway.configuration();
        if (yaml == null) {
            Replies.text(exchange, 404, "this gateway was not started with a configuration file");
        } else {
            Replies.send(exchange, 200, "application/yaml; charset=utf-8", yaml.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void snapshot(HttpExchange exchange) throws IOException {
        Replies.send(exchange, 200, "application/json", sampler.snapshot().getBytes(StandardCharsets.UTF_8));
    }

    private void events(HttpExchange exchange) throws IOException {
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

    private void reload(HttpExchange exchange) throws IOException, RefusedException {
        watch.allow(RELOAD_TIME);
        String told = gateway.reload();
        watch.extend();
        Replies.text(exchange, 200, told);
    }
}
