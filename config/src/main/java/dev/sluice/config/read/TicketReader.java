package dev.sluice.config.read;

import dev.sluice.config.key.Key;
import dev.sluice.config.key.TicketSectionKeys;
import dev.sluice.config.model.RedisAddress;
import dev.sluice.config.model.SessionSharing;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.model.TicketStoreConfig.Directory;
import dev.sluice.config.model.TicketStoreConfig.Local;
import dev.sluice.config.model.TicketStoreConfig.Redis;
import dev.sluice.config.yaml.ProblemKind;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.config.yaml.Value;
import dev.sluice.tls.ticket.TicketKeyPlan;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader of {@code tickets}: on, off, or a section. */
final class TicketReader {
    /** The substitute for a store's password in a printed configuration. */
    private static final String SECRET = "${SLUICE_STORE_PASSWORD}";

    /** The keys that have an effect with a shared store only. */
    private static final List<Key> SHARED =
            List.of(TicketSectionKeys.POLL, TicketSectionKeys.STORE_AUTHORITIES, TicketSectionKeys.CACHE);

    private static final String LOCAL = "local";
    private static final String FILE = "file:";

    private final Path directory;
    private final TlsCheck check;

    TicketReader(Path directory, TlsCheck check) {
        this.directory = directory;
        this.check = check;
    }

    /** Reads the rules for tickets; null: no tickets. */
    @Nullable
    TicketConfig read(Value value) {
        if (!value.isSection()) {
            return value.onOff(true) ? TicketConfig.DEFAULT : null;
        }
        Section section = Section.of(value, TicketSectionKeys.SECTION);
        if (section == null) {
            return TicketConfig.DEFAULT;
        }
        Duration rotate = section.get(TicketSectionKeys.ROTATE);
        Duration keep = section.get(TicketSectionKeys.KEEP);
        TicketStoreConfig store = store(section);
        if (keep.dividedBy(TicketKeyPlan.shortest(rotate)) > TicketKeyRing.MAX_KEYS - 4 - ahead(store)) {
            value.problem("keep is " + keep.toSeconds() + "s with keys that rotate every " + rotate.toSeconds()
                    + "s, which takes more than " + TicketKeyRing.MAX_KEYS + " keys; raise rotate or lower keep");
            return TicketConfig.DEFAULT;
        }
        requirePollsWithin(rotate, section, store);
        SessionSharing sharing = section.get(TicketSectionKeys.SHARED_WITH);
        int count = section.get(TicketSectionKeys.COUNT);
        return new TicketConfig(rotate, keep, store, sharing, count);
    }

    private static int ahead(TicketStoreConfig store) {
        return store instanceof Redis ? Redis.AHEAD_MAX : 0;
    }

    private static void requirePollsWithin(Duration rotate, Section section, TicketStoreConfig store) {
        Value poll = section.find(TicketSectionKeys.POLL);
        if (store instanceof Redis redis && redis.poll().compareTo(rotate) > 0) {
            String message = "poll is " + Quantities.text(redis.poll()) + ", and keys rotate every "
                    + Quantities.text(rotate) + ": nodes would miss keys; lower poll, or raise rotate";
            if (poll == null) {
                section.problem(message);
            } else {
                poll.problem(message);
            }
        }
    }

    private TicketStoreConfig store(Section section) {
        Value value = section.find(TicketSectionKeys.STORE);
        String text = value == null ? LOCAL : value.text();
        if (value == null || text == null) {
            requireAbsent(section, LOCAL, TicketSectionKeys.FLEET_KEY);
            return TicketStoreConfig.IN_MEMORY;
        }
        TicketStoreConfig store = store(section, value, text);
        String problem = store == null ? null : check.ticketStoreProblem(store);
        if (problem != null) {
            value.problem(problem, kind(store));
        }
        return store == null ? TicketStoreConfig.IN_MEMORY : store;
    }

    /** Returns the kind of a problem: a directory that is absent, or empty, may still be mounted. */
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
            requireAbsent(section, text, TicketSectionKeys.FLEET_KEY);
            return TicketStoreConfig.IN_MEMORY;
        }
        if (text.startsWith(LOCAL + ":")) {
            requireAbsent(section, text);
            Path file = path(value, LOCAL + ":", text);
            return file == null ? null : new Local(file, file(section, TicketSectionKeys.FLEET_KEY));
        }
        if (text.startsWith(FILE)) {
            requireAbsent(section, text, TicketSectionKeys.ROTATE, TicketSectionKeys.FLEET_KEY);
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
        Duration poll = section.get(TicketSectionKeys.POLL);
        Value key = section.find(TicketSectionKeys.FLEET_KEY);
        if (key == null) {
            value.problem(
                    "a shared store needs a fleet-key, which encrypts the ticket keys; add fleet-key: FILE, with a file"
                            + " created by openssl rand -base64 32");
            return null;
        }
        Path fleetKey = key.file(directory);
        try {
            RedisAddress address = RedisAddress.parse(text);
            value.isSecret(address.withPassword(SECRET));
            Path authorities = file(section, TicketSectionKeys.STORE_AUTHORITIES);
            return fleetKey == null
                    ? null
                    : new Redis(address, fleetKey, poll, authorities, fileToBe(section, TicketSectionKeys.CACHE));
        } catch (IllegalArgumentException e) {
            value.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Rejects the keys of a shared store, and others, which have no effect with a store. */
    private static void requireAbsent(Section section, String store, Key... others) {
        for (Key key : Stream.concat(SHARED.stream(), Stream.of(others)).toList()) {
            Value value = section.find(key);
            if (value != null) {
                value.problem(key + " has no effect with store: " + store + "; remove it");
            }
            section.withdrawDefault(key);
        }
    }

    /** Returns the path of a file that need not exist yet. */
    private @Nullable Path fileToBe(Section section, Key key) {
        Value value = section.find(key);
        String text = value == null ? null : value.text();
        return value == null || text == null ? null : path(value, "", text);
    }

    private @Nullable Path file(Section section, Key key) {
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
            value.problem("store \"" + text + "\" is not a path: " + invalid.getReason());
        }
        return null;
    }
}
