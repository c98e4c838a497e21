package dev.sluice.gateway.control;

import dev.sluice.config.json.Json;
import dev.sluice.gateway.control.AdminSocket.CommandException;
import dev.sluice.gateway.tickets.SourceStatus;
import dev.sluice.gateway.tickets.TicketKeyException;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.tls.ticket.TicketKeyInfo;
import dev.sluice.tls.ticket.TicketKeyRing.Outcome;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The admin-socket commands behind {@code sluice tickets}: {@code tickets show}, {@code tickets show json},
 * {@code tickets rotate}, {@code tickets import FILE} and {@code tickets export FILE}, with files by absolute paths,
 * which the gateway opens itself: no secret goes through the socket.
 */
public final class TicketCommands implements AdminSocket.Commands {
    private static final String KNOWN =
            "tickets show, tickets show json, tickets rotate, tickets import FILE or tickets export FILE";

    /** Times of keys that have none of their own lie before this one, or never come. */
    private static final Instant FIRST_REAL_TIME = Instant.parse("2000-01-01T00:00:00Z");

    private static final Instant LAST_REAL_TIME = Instant.parse("9999-12-31T00:00:00Z");

    private final @Nullable TicketKeys keys;

    /**
     * Creates the commands.
     *
     * @param keys null: there are no tickets
     */
    public TicketCommands(@Nullable TicketKeys keys) {
        this.keys = keys;
    }

    @Override
    public String answer(String line) throws CommandException {
        String[] words = line.split(" ", 3);
        if (words.length < 2 || !words[0].equals("tickets")) {
            throw new CommandException("\"" + line + "\" is no command; there are " + KNOWN);
        }
        if (keys == null) {
            throw new CommandException("this gateway issues no tickets (tickets: off in its configuration)");
        }
        try {
            return answer(keys, words[1], words.length > 2 ? words[2] : "");
        } catch (TicketKeyException e) {
            throw new CommandException(e.getMessage());
        }
    }

    private static String answer(TicketKeys keys, String verb, String argument)
            throws TicketKeyException, CommandException {
        return switch (verb) {
            case "show" -> argument.equals("json") ? json(keys) : table(keys);
            case "rotate" -> keys.rotate() + "\n";
            case "import" -> keys.importKeys(absolute(argument)) + "\n";
            case "export" -> keys.exportKeys(absolute(argument)) + "\n";
            default -> throw new CommandException("\"" + verb + "\" is no command; there are " + KNOWN);
        };
    }

    private static Path absolute(String path) throws CommandException {
        if (!path.startsWith("/")) {
            throw new CommandException("\"" + path + "\" is no absolute path; name a file by one");
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new CommandException("no file can be named so: " + e.getMessage() + "; name one by an absolute path");
        }
    }

    // --- for people -------------------------------------------------------------------------------------------------

    private static String table(TicketKeys keys) {
        SourceStatus status = keys.status();
        StringBuilder text = new StringBuilder();
        text.append("store       ").append(status.store()).append('\n');
        text.append("generation  ").append(status.generation()).append('\n');
        if (status.synced() != null) {
            text.append("synced      ").append(status.synced()).append('\n');
            text.append("clock       ").append(status.clockOffset()).append(" to the store's\n");
        }
        text.append("state       ")
                .append(status.alarm() == null ? "ok" : "ALARM: " + status.alarm())
                .append('\n');
        text.append("failures    ")
                .append(status.failures())
                .append(" of the store, ")
                .append(status.localKeys())
                .append(" keys made without it\n");
        text.append("tickets     ");
        for (Outcome outcome : Outcome.values()) {
            text.append(name(outcome))
                    .append(' ')
                    .append(keys.ring().count(outcome))
                    .append("  ");
        }
        text.append("\n\n");
        text.append(String.format(
                "%-16s  %10s  %-8s  %-24s  %s%n", "key", "generation", "state", "seals from", "opens until"));
        for (TicketKeyInfo key : keys.keys()) {
            text.append(String.format(
                    "%-16s  %10d  %-8s  %-24s  %s%n",
                    key.id(), key.generation(), name(key.state()), time(key.notBefore()), time(key.notAfter())));
        }
        return text.toString();
    }

    private static String time(Instant time) {
        return isReal(time) ? time.toString() : "-";
    }

    private static boolean isReal(Instant time) {
        return time.isAfter(FIRST_REAL_TIME) && time.isBefore(LAST_REAL_TIME);
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    // --- for programs -----------------------------------------------------------------------------------------------

    private static String json(TicketKeys keys) {
        return Json.of(json -> write(json, keys)) + "\n";
    }

    private static void write(JsonGenerator json, TicketKeys keys) {
        SourceStatus status = keys.status();
        json.writeStartObject();
        Json.text(json, "store", status.store());
        json.writeNumberProperty("generation", status.generation());
        Json.text(json, "alarm", status.alarm());
        Json.text(json, "synced", status.synced());
        json.writeNumberProperty("clock_offset_ms", status.clockOffset().toMillis());
        json.writeNumberProperty("store_failures_total", status.failures());
        json.writeNumberProperty("local_keys_total", status.localKeys());
        for (Outcome outcome : Outcome.values()) {
            json.writeNumberProperty(
                    "tickets_" + name(outcome) + "_total", keys.ring().count(outcome));
        }
        json.writeArrayPropertyStart("keys");
        keys.keys().forEach(key -> write(json, key));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, TicketKeyInfo key) {
        json.writeStartObject();
        Json.text(json, "id", key.id());
        json.writeNumberProperty("generation", key.generation());
        Json.text(json, "state", name(key.state()));
        Json.text(json, "not_before", isReal(key.notBefore()) ? key.notBefore() : null);
        Json.text(json, "not_after", isReal(key.notAfter()) ? key.notAfter() : null);
        json.writeEndObject();
    }
}
