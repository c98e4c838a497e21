package dev.sluice.gateway.admin;

import dev.sluice.gateway.backend.BackendControl;
import dev.sluice.gateway.backend.BackendControl.RefusedException;
import dev.sluice.gateway.backend.BackendReport;
import dev.sluice.gateway.backend.ServerMode;
import dev.sluice.gateway.backend.UnknownServerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The answers that show and control the servers of backends; a server is named by the fields of the query. */
final class BackendRoutes {
    static final String LIST = "/api/backends";
    static final String DRAIN = LIST + "/drain";
    static final String DISABLE = LIST + "/disable";
    static final String ENABLE = LIST + "/enable";
    static final String WEIGHT = LIST + "/weight";

    private static final String EXAMPLE = "?backend=web&server=10.0.0.1:8080";

    private final BackendControl control;

    BackendRoutes(BackendControl control) {
        this.control = control;
    }

    void list(AdminExchange exchange) throws IOException {
        String json = BackendReport.json(control.statuses());
        Replies.send(exchange, 200, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    void drain(AdminExchange exchange) throws IOException {
        change(exchange, (backend, server, _) -> control.mode(backend, server, ServerMode.DRAINING));
    }

    void disable(AdminExchange exchange) throws IOException {
        change(exchange, (backend, server, _) -> control.mode(backend, server, ServerMode.DISABLED));
    }

    void enable(AdminExchange exchange) throws IOException {
        change(exchange, (backend, server, _) -> control.mode(backend, server, ServerMode.ENABLED));
    }

    void weight(AdminExchange exchange) throws IOException {
        change(exchange, (backend, server, weight) -> control.weight(backend, server, weight));
    }

    /** A change of one server; returns the answer. */
    @FunctionalInterface
    private interface Change {
        String of(String backend, String server, String weight) throws UnknownServerException, RefusedException;
    }

    private static void change(AdminExchange exchange, Change change) throws IOException {
        try {
            QueryFields query = new QueryFields(exchange.request().query());
            String backend = query.get("backend");
            String server = query.get("server");
            String weight = query.get("weight");
            if (backend == null || server == null) {
                Replies.text(
                        exchange,
                        400,
                        "name the server, such as " + exchange.request().path() + EXAMPLE);
            } else {
                Replies.text(exchange, 200, change.of(backend, server, weight == null ? "" : weight));
            }
        } catch (UnknownServerException unknown) {
            Replies.text(exchange, 404, String.valueOf(unknown.getMessage()));
        } catch (RefusedException | BadRequestException refused) {
            Replies.text(exchange, 400, String.valueOf(refused.getMessage()));
        }
    }
}
