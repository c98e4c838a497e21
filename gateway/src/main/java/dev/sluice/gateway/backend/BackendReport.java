package dev.sluice.gateway.backend;

import dev.sluice.config.json.Json;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** The servers of all backends as a table for people, and as JSON for programs. */
public final class BackendReport {
    private BackendReport() {}

    /** Returns a table with a row for each server. */
    public static String table(List<ServerStatus> servers) {
        StringBuilder text = new StringBuilder();
        row(text, "backend", "server", "state", "weight", "role", "connections", "reason");
        for (ServerStatus server : servers) {
            row(
                    text,
                    server.backend(),
                    server.server(),
                    server.state(),
                    server.config().weight(),
                    role(server),
                    server.connections(),
                    server.reason());
        }
        return text.toString();
    }

    private static void row(StringBuilder text, Object... cells) {
        text.append(String.format(Locale.ROOT, "%-16s  %-28s  %-8s  %6s  %-7s  %11s  %s", cells)
                        .stripTrailing())
                .append('\n');
    }

    /** Returns one line: an array with an object for each server. */
    public static String json(List<ServerStatus> servers) {
        return Json.of(json -> {
                    json.writeStartArray();
                    servers.forEach(server -> write(json, server));
                    json.writeEndArray();
                })
                + "\n";
    }

    private static void write(JsonGenerator json, ServerStatus server) {
        json.writeStartObject();
        Json.text(json, "backend", server.backend());
        Json.text(json, "server", server.server());
        Json.text(json, "name", server.foundBy());
        Json.text(json, "state", server.state());
        Json.text(json, "mode", server.mode().word());
        Json.text(json, "health", server.health().name().toLowerCase(Locale.ROOT));
        Json.text(json, "reason", server.reason());
        json.writeNumberProperty("weight", server.config().weight());
        Json.text(json, "role", role(server));
        json.writeNumberProperty("connections", server.connections());
        json.writeEndObject();
    }

    private static String role(ServerStatus server) {
        return server.config().role().name().toLowerCase(Locale.ROOT);
    }
}
