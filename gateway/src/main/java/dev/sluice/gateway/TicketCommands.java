package dev.sluice.gateway;

import dev.sluice.gateway.AdminSocket.CommandException;
import dev.sluice.gateway.tickets.SourceStatus;
import dev.sluice.gateway.tickets.TicketKeyException;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.tls.TicketKeyInfo;
import dev.sluice.tls.TicketKeyRing.Outcome;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the admin socket does for {@code sluice tickets}: {@code tickets show}, {@code tickets show json}, {@code tickets
 * rotate}, {@code tickets import FILE} and {@code tickets export FILE}, with files by absolute paths, which the gateway opens
 * itself: no secret goes through the socket.
 */
final class TicketCommands implements AdminSocket.Commands {
    private static final String KNOWN =
            "tickets show, tickets show json, tickets rotate, tickets import FILE or tickets export FILE";

    /** Times of keys that have none of their own lie before this one, or never come. */
    private static final Instant FIRST_REAL_TIME = Instant.parse("2000-01-01T00:00:00Z");

    private static final Instant LAST_REAL_TIME = Instant.parse("9999-12-31T00:00:00Z");

    private final @Nullable TicketKeys keys;

    /** @param keys null: there are no tickets */
    TicketCommands(@Nullable TicketKeys keys) {
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
        return Path.of(path);
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
                .append(status.alarm() == null ? "all right" : "ALARM: " + status.alarm())
                .append('\n');
        text.append("counted     ")
                .append(status.failures())
                .append(" failures of the store, ")
                .append(status.localKeys())
                .append(" keys made for want of it\n");
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
        SourceStatus status = keys.status();
        StringBuilder text = new StringBuilder("{");
        text.append("\"store\":").append(JsonText.quoted(status.store()));
        text.append(",\"generation\":").append(status.generation());
        text.append(",\"alarm\":").append(JsonText.quoted(status.alarm()));
        text.append(",\"synced\":").append(JsonText.quoted(status.synced()));
        text.append(",\"clock_offset_ms\":").append(status.clockOffset().toMillis());
        text.append(",\"store_failures_total\":").append(status.failures());
        text.append(",\"local_keys_total\":").append(status.localKeys());
        for (Outcome outcome : Outcome.values()) {
            text.append(",\"tickets_").append(name(outcome)).append("_total\":");
            text.append(keys.ring().count(outcome));
        }
        text.append(",\"keys\":[");
        List<TicketKeyInfo> all = keys.keys();
        for (int i = 0; i < all.size(); i++) {
            text.append(i == 0 ? "" : ",").append(json(all.get(i)));
        }
        return text.append("]}\n").toString();
    }

    private static String json(TicketKeyInfo key) {
        return "{\"id\":" + JsonText.quoted(key.id()) + ",\"generation\":" + key.generation() + ",\"state\":"
                + JsonText.quoted(name(key.state())) + ",\"not_before\":"
                + JsonText.quoted(isReal(key.notBefore()) ? key.notBefore() : null)
                + ",\"not_after\":" + JsonText.quoted(isReal(key.notAfter()) ? key.notAfter() : null) + "}";
    }
}
