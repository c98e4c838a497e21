package dev.sluice.gateway.acme;

import dev.sluice.config.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** The certificates that are ordered by ACME, as lines of a table and as JSON. */
public final class AcmeReport {
    private AcmeReport() {}

    /** Returns a line for each certificate, and one more for the last error. */
    public static String table(List<AcmeStatus> statuses, Instant now) {
        StringBuilder text = new StringBuilder();
        for (AcmeStatus status : statuses) {
            text.append(String.format(
                    "%-20s  %-5s  %s%n",
                    status.name(),
                    status.keyType(),
                    "ACME " + status.server() + ": "
                            + state(status) + " " + status.next().truncatedTo(ChronoUnit.SECONDS) + " ("
                            + in(Duration.between(now, status.next())) + ")"));
            if (status.error() != null) {
                text.append(String.format(
                        "%-20s  %-5s  failed %s: %s%n", "", "", times(status.failures()), status.error()));
            }
        }
        return text.toString();
    }

    private static String state(AcmeStatus status) {
        return switch (status.state()) {
            case PENDING -> "PENDING, next attempt";
            case ISSUED -> "issued, renewal";
            case DUE -> "DUE for renewal, next attempt";
        };
    }

    private static String times(int failures) {
        return failures == 1 ? "once" : failures + " times in a row";
    }

    private static String in(Duration left) {
        if (left.isNegative()) {
            return "now";
        }
        return left.toDays() > 1
                ? left.toDays() + " d"
                : left.toHours() > 1
                        ? left.toHours() + " h"
                        : left.toMinutes() > 1 ? left.toMinutes() + " min" : left.toSeconds() + " s";
    }

    /** Writes an array of objects. */
    public static void write(JsonGenerator json, List<AcmeStatus> statuses) {
        json.writeArrayPropertyStart("acme");
        for (AcmeStatus status : statuses) {
            json.writeStartObject();
            Json.text(json, "name", status.name());
            Json.text(json, "key_type", status.keyType());
            Json.text(json, "server", status.server());
            Json.text(json, "state", status.state().name().toLowerCase(Locale.ROOT));
            Json.text(json, "not_after", status.notAfter());
            Json.text(json, "next", status.next());
            json.writeNumberProperty("failures", status.failures());
            Json.text(json, "error", status.error());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
