package dev.sluice.gateway.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.json.Json;
import dev.sluice.config.log.LogFormat;
import dev.sluice.config.log.LogLevel;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** The forms of a line: text for people, JSON (RFC 8259) for programs. */
final class LogForm {
    static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private LogForm() {}

    /** Returns a line for standard error, with its end. */
    static byte[] line(LogEntry entry, LogFormat format) {
        String line = switch (format) {
            case TEXT -> seconds(entry.time()) + " " + padded(entry.level()) + message(entry, format);
            case JSON -> message(entry, format);
        };
        return (line + '\n').getBytes(UTF_8);
    }

    /** Returns what a target with times and levels of its own is given. */
    static String message(LogEntry entry, LogFormat format) {
        return switch (format) {
            case TEXT -> LineText.of(entry.text());
            case JSON -> Json.of(json -> write(json, entry));
        };
    }

    /** Returns the same in UTF-8 with a limit: text is cut, JSON stays an object. */
    static byte[] message(LogEntry entry, LogFormat format, int most) {
        if (format == LogFormat.TEXT) {
            return LineText.utf8(message(entry, format), most);
        }
        LogEntry shorter = entry;
        byte[] json = message(shorter, format).getBytes(UTF_8);
        while (json.length > most && !shorter.text().isEmpty()) {
            String text = shorter.text();
            String half = text.substring(0, text.length() / 2);
            shorter = new LogEntry(entry.time(), entry.level(), half, null);
            json = message(shorter, format).getBytes(UTF_8);
        }
        return json;
    }

    private static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    private static String padded(LogLevel level) {
        return switch (level) {
            case INFO -> "INFO  ";
            case WARN -> "WARN  ";
            case ERROR -> "ERROR ";
        };
    }

    private static void write(JsonGenerator json, LogEntry entry) {
        LoggedFailure failure = entry.failure();
        json.writeStartObject();
        Json.text(json, "time", TIME.format(entry.time()));
        Json.text(json, "level", word(entry.level()));
        if (failure == null) {
            Json.text(json, "message", LineText.escapable(entry.text()));
        } else {
            Json.text(json, "message", LineText.escapable(failure.message()));
            Json.text(json, "reason", LineText.escapable(failure.reason()));
            Json.text(json, "fault", word(failure.fault()));
            Json.text(json, "connection", LineText.escapable(failure.connection()));
        }
        json.writeEndObject();
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
