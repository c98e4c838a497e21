package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.model.SessionSharing;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import java.time.Duration;
import java.util.List;

/** The keys of {@code tickets}. */
public final class TicketSectionKeys {
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** RFC 8446 section 4.6.1: no client may use a ticket for longer. */
    private static final Duration WEEK = Duration.ofDays(7);

    public static final ValueKey<Duration> ROTATE = Key.of(
            "rotate",
            new Time(SECOND, WEEK),
            TicketConfig.DEFAULT.rotate(),
            "Time for which a key seals, less up to a tenth at random, so that nodes do not rotate together.");
    public static final ValueKey<Duration> KEEP = Key.of(
            "keep",
            new Time(SECOND, WEEK),
            TicketConfig.DEFAULT.keep(),
            "Minimum lifetime of a ticket; after it the key is erased.");
    public static final ValueKey<Integer> COUNT = Key.of(
            "count",
            new Whole(1, TicketConfig.COUNT_MAX),
            TicketConfig.DEFAULT.count(),
            "Tickets after a full TLS 1.3 handshake; after a resumed one, and with TLS 1.2, it is one.");
    public static final Key STORE = Key.optional(
            "store",
            new Text("`local`, `local:FILE`, `file:DIRECTORY`, `redis://…`, `rediss://…`"),
            "`local`",
            "Source of the ticket keys.");
    public static final Key FLEET_KEY = Key.optional(
            "fleet-key",
            new Text("a file with 32 bytes, raw or in Base64"),
            "Key that encrypts the ticket keys outside of the process.");
    public static final ValueKey<Duration> POLL = Key.of(
            "poll",
            new Time(Duration.ofMillis(100), Duration.ofMinutes(10)),
            TicketStoreConfig.Redis.DEFAULT_POLL,
            "Interval at which a node reads Redis; announcements arrive at once besides.");
    public static final Key STORE_AUTHORITIES = Key.optional(
            "store-ca",
            new Text("a PEM file"),
            "those of the JDK",
            "Authorities that the certificate of a `rediss://` store must chain to.");
    public static final Key CACHE = Key.optional(
            "cache",
            new Text("a file"),
            "With `redis://`: encrypted copy of the keys, for a start while Redis is unreachable.");
    public static final ValueKey<SessionSharing> SHARED_WITH = Key.of(
            "shared-with",
            Choice.of(SessionSharing.class),
            SessionSharing.NONE,
            "Other server whose sessions resume here, given the same keys.");

    public static final SectionKeys SECTION = new SectionKeys(
            "tickets",
            "tickets",
            "Session tickets",
            "See [Session tickets](guide/session-tickets.md).",
            List.of(ROTATE, KEEP, COUNT, STORE, FLEET_KEY, POLL, STORE_AUTHORITIES, CACHE, SHARED_WITH));

    private TicketSectionKeys() {}
}
