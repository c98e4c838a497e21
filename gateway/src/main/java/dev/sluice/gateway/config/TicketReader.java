package dev.sluice.gateway.config;

import dev.sluice.gateway.config.TicketStoreConfig.Directory;
import dev.sluice.gateway.config.TicketStoreConfig.Local;
import dev.sluice.gateway.config.TicketStoreConfig.Redis;
import dev.sluice.tls.TicketKeyPlan;
import dev.sluice.tls.TicketKeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@code tickets}: on, off, or a section. */
final class TicketReader {
    private static final List<String> KEYS =
            List.of("rotate", "keep", "count", "store", "fleet-key", "poll", "store-ca", "cache", "shared-with");
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration ROTATE_MAX = Duration.ofDays(7);
    /** RFC 8446 section 4.6.1: no client may use a ticket for longer. */
    private static final Duration KEEP_MAX = Duration.ofDays(7);

    private static final Duration POLL_MIN = Duration.ofMillis(100);
    private static final Duration POLL_MAX = Duration.ofMinutes(10);

    /** What stands for the password of a store where a configuration is printed. */
    private static final String SECRET = "${SLUICE_STORE_PASSWORD}";

    private static final String LOCAL = "local";
    private static final String FILE = "file:";

    private final Path directory;
    private final TlsCheck check;

    TicketReader(Path directory, TlsCheck check) {
        this.directory = directory;
        this.check = check;
    }

    /** Null: no tickets. */
    @Nullable
    TicketConfig read(Value value) {
        if (!value.isSection()) {
            return value.onOff(true) ? TicketConfig.DEFAULT : null;
        }
        Section section = value.section(KEYS);
        if (section == null) {
            return TicketConfig.DEFAULT;
        }
        Duration rotate = section.duration("rotate", LEAST, ROTATE_MAX, TicketConfig.DEFAULT.rotate());
        Duration keep = section.duration("keep", LEAST, KEEP_MAX, TicketConfig.DEFAULT.keep());
        TicketStoreConfig store = store(section);
        if (keep.dividedBy(TicketKeyPlan.shortest(rotate)) > TicketKeyRing.MAX_KEYS - 4 - ahead(store)) {
            value.problem("tickets that are kept for " + keep.toSeconds() + "s with keys that rotate every "
                    + rotate.toSeconds() + "s take more than " + TicketKeyRing.MAX_KEYS
                    + " keys; rotate more slowly or keep them for less");
            return TicketConfig.DEFAULT;
        }
        requirePollsWithin(rotate, section, store);
        SessionSharing sharing = section.choice("shared-with", SessionSharing.class, SessionSharing.NONE);
        int count = section.integer("count", 1, TicketConfig.COUNT_MAX, TicketConfig.DEFAULT.count());
        return new TicketConfig(rotate, keep, store, sharing, count);
    }

    private static int ahead(TicketStoreConfig store) {
        return store instanceof Redis ? Redis.AHEAD_MAX : 0;
    }

    private static void requirePollsWithin(Duration rotate, Section section, TicketStoreConfig store) {
        Value poll = section.find("poll");
        if (store instanceof Redis redis && redis.poll().compareTo(rotate) > 0) {
            String message =
                    "ticket keys that rotate every " + Quantities.text(rotate) + " need a poll at least as often,"
                            + " not every " + Quantities.text(redis.poll()) + "; lower poll, or raise rotate";
            if (poll == null) {
                section.problem(message);
            } else {
                poll.problem(message);
            }
        }
    }

    private TicketStoreConfig store(Section section) {
        Value value = section.find("store");
        String text = value == null ? LOCAL : value.text();
        if (value == null || text == null) {
            requireAbsent(section, LOCAL, "fleet-key", "poll", "store-ca", "cache");
            return TicketStoreConfig.IN_MEMORY;
        }
        TicketStoreConfig store = store(section, value, text);
        String problem = store == null ? null : check.ticketStoreProblem(store);
        if (problem != null) {
            value.problem(problem, kind(store));
        }
        return store == null ? TicketStoreConfig.IN_MEMORY : store;
    }

    /** A directory that is absent, or empty, may be mounted yet. */
    private static ProblemKind kind(@Nullable TicketStoreConfig store) {
        if (!(store instanceof Directory directory)) {
            return ProblemKind.PERMANENT;
        }
        try (Stream<Path> entries = Files.list(directory.path())) {
            return entries.findAny().isPresent() ? ProblemKind.PERMANENT : ProblemKind.TRANSIENT;
        } catch (IOException unreadable) {
            return ProblemKind.of(unreadable);
        }
    }

    private @Nullable TicketStoreConfig store(Section section, Value value, String text) {
        if (text.equals(LOCAL)) {
            requireAbsent(section, text, "fleet-key", "poll", "store-ca", "cache");
            return TicketStoreConfig.IN_MEMORY;
        }
        if (text.startsWith(LOCAL + ":")) {
            requireAbsent(section, text, "poll", "store-ca", "cache");
            Path file = path(value, LOCAL + ":", text);
            return file == null ? null : new Local(file, file(section, "fleet-key"));
        }
        if (text.startsWith(FILE)) {
            requireAbsent(section, text, "rotate", "fleet-key", "poll", "store-ca", "cache");
            Path path = path(value, FILE, text);
            return path == null ? null : new Directory(path);
        }
        if (text.startsWith("redis://") || text.startsWith("rediss://")) {
            return redis(section, value, text);
        }
        value.problem("store is \"" + text + "\"; write local, local:FILE, file:DIRECTORY, redis://HOST:PORT or"
                + " rediss://HOST:PORT");
        return null;
    }

    private @Nullable TicketStoreConfig redis(Section section, Value value, String text) {
        Duration poll = section.duration("poll", POLL_MIN, POLL_MAX, Redis.DEFAULT_POLL);
        Value key = section.find("fleet-key");
        if (key == null) {
            value.problem(
                    "ticket keys in a shared store are sealed; add fleet-key: FILE, with a file made by: openssl rand"
                            + " -base64 32");
            return null;
        }
        Path fleetKey = key.file(directory);
        try {
            RedisAddress address = RedisAddress.parse(text);
            value.isSecret(address.withPassword(SECRET));
            Path authorities = file(section, "store-ca");
            return fleetKey == null
                    ? null
                    : new Redis(address, fleetKey, poll, authorities, fileToBe(section, "cache"));
        } catch (IllegalArgumentException e) {
            value.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static void requireAbsent(Section section, String store, String... keys) {
        for (String key : keys) {
            Value value = section.find(key);
            if (value != null) {
                value.problem(key + " has no meaning with store: " + store + "; remove it");
            }
            section.hasNoDefault(key);
        }
    }

    /** One that need not exist yet. */
    private @Nullable Path fileToBe(Section section, String key) {
        Value value = section.find(key);
        String text = value == null ? null : value.text();
        return value == null || text == null ? null : path(value, "", text);
    }

    private @Nullable Path file(Section section, String key) {
        Value value = section.find(key);
        return value == null ? null : value.file(directory);
    }

    private @Nullable Path path(Value value, String kind, String store) {
        String text = store.substring(kind.length());
        try {
            if (!text.isEmpty()) {
                Path path = directory.resolve(text);
                value.means(kind + path);
                return path;
            }
            value.problem("store names no path; write local:FILE or file:DIRECTORY");
        } catch (InvalidPathException invalid) {
            value.problem("store \"" + text + "\" is no path: " + invalid.getReason());
        }
        return null;
    }
}
