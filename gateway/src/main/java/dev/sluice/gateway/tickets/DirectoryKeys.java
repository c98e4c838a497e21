package dev.sluice.gateway.tickets;

import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TimedTicketKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Keys that somebody else makes and puts into a directory, such as a mounted secret, in the formats of
 * {@link TicketKeyFile}. Files count in the order of their names, the oldest first, and so do the lines in one; the
 * newest key seals. Only in a file of three lines and more, which HAProxy's are, the last key is the next one, and the
 * last but one seals.
 *
 * <p>A key that comes while the gateway runs opens at once, and seals when it has been there for a while: other nodes
 * get it later. One whose file has gone opens nothing any more.
 */
final class DirectoryKeys implements TicketKeySource {
    /** The interval at which the directory is read. */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The time for which a new key only opens: a cluster takes a minute or two to bring a secret to all nodes. */
    static final Duration SETTLING = Duration.ofMinutes(2);

    /** HAProxy refuses files with fewer keys. */
    private static final int LEAST_HAPROXY_KEYS = 3;

    private final TicketKeyRing ring;
    private final Path directory;
    private final InstantSource clock;
    private final TicketKeyLog log;
    private final Trouble trouble;
    private final AtomicLong generation = new AtomicLong();

    DirectoryKeys(TicketKeyRing ring, Path directory, InstantSource clock, TicketKeyLog log) {
        this.ring = ring;
        this.directory = directory;
        this.clock = clock;
        this.log = log;
        this.trouble = new Trouble(log);
    }

    /**
     * Checks that a directory holds usable keys at the moment.
     *
     * @throws TicketKeyException naming value, cause and remedy
     */
    static void require(Path directory) throws TicketKeyException {
        Found.in(directory).close();
    }

    @Override
    public Duration refresh() {
        try {
            Found found = Found.in(directory);
            if (isKnown(found.keys)) {
                found.close();
                ring.install(ring.timedKeys());
            } else {
                take(found);
            }
            trouble.isOver("ticket keys of " + directory + " are usable again");
        } catch (TicketKeyException e) {
            trouble.is(e.getMessage() + "; the previous keys stay in use");
        }
        return INTERVAL;
    }

    /** Returns true when these are the keys that are alive in the ring, in the same order. */
    private boolean isKnown(List<TicketKey> keys) {
        long now = clock.millis();
        List<TimedTicketKey> mine = ring.timedKeys().reversed().stream()
                .filter(key -> key.isAlive(now))
                .toList();
        if (mine.size() != keys.size()) {
            return false;
        }
        for (int i = 0; i < keys.size(); i++) {
            if (!keys.get(i).isSameAs(mine.get(i).key())) {
                return false;
            }
        }
        return true;
    }

    private void take(Found found) {
        generation.incrementAndGet();
        List<TimedTicketKey> timed = new ArrayList<>();
        long latest = TimedTicketKey.NEVER;
        for (int i = found.keys.size() - 1; i >= 0; i--) {
            long start = i > found.current ? TimedTicketKey.NEVER : Math.min(latest - 1, start(found.keys.get(i), i));
            timed.addFirst(new TimedTicketKey(found.keys.get(i), i + 1, start, TimedTicketKey.NEVER));
            latest = start;
        }
        ring.install(timed);
        log.info("ticket keys of " + directory + ": " + found.keys.size());
    }

    /** Returns the time from which on a key may seal, its order apart: at once for keys that were there at start. */
    private long start(TicketKey key, int index) {
        for (TimedTicketKey mine : ring.timedKeys()) {
            if (mine.key().isSameAs(key) && mine.notBeforeMillis() > 0) {
                // The one that was next has been there for long enough.
                return Math.min(mine.notBeforeMillis(), clock.millis());
            }
        }
        return generation.get() == 1 ? index + 1 : clock.millis() + SETTLING.toMillis();
    }

    @Override
    public String rotate() throws TicketKeyException {
        throw new TicketKeyException("the keys of " + directory
                + " are not ours to rotate; put a new file into it whose name" + " sorts last");
    }

    @Override
    public String take(List<TicketKey> keys) throws TicketKeyException {
        keys.forEach(TicketKey::close);
        throw new TicketKeyException("the keys of " + directory
                + " are not ours to add to; put the file into it, with a name" + " that does not sort last");
    }

    @Override
    public SourceStatus status() {
        return SourceStatus.local("file:" + directory, generation.get(), trouble.message(), trouble.count());
    }

    @Override
    public void close() {}

    /** The keys of a directory, the oldest first, and the index of the one that seals. */
    private record Found(List<TicketKey> keys, int current) {
        static Found in(Path directory) throws TicketKeyException {
            List<TicketKey> all = new ArrayList<>();
            int ofLastFile = 0;
            try {
                for (Path file : files(directory)) {
                    List<TicketKey> some = TicketKeyFile.read(file);
                    some.forEach(key -> add(key, all));
                    ofLastFile = some.size();
                }
                if (all.isEmpty() || all.size() > TicketKeyRing.MAX_KEYS) {
                    throw new TicketKeyException("ticket keys not usable: " + directory + " holds " + all.size()
                            + "; from 1 to " + TicketKeyRing.MAX_KEYS + " are needed, in files of 48 or 80 bytes");
                }
            } catch (TicketKeyException e) {
                all.forEach(TicketKey::close);
                throw e;
            }
            return new Found(all, all.size() - (ofLastFile >= LEAST_HAPROXY_KEYS ? 2 : 1));
        }

        /** A key that stands twice counts where it stands last. */
        private static void add(TicketKey key, List<TicketKey> all) {
            all.removeIf(older -> {
                boolean isSame = older.isSameAs(key);
                if (isSame) {
                    older.close();
                }
                return isSame;
            });
            all.add(key);
        }

        /** Hidden ones are left out: a mounted secret keeps its versions in them. */
        private static List<Path> files(Path directory) throws TicketKeyException {
            try (Stream<Path> entries = Files.list(directory)) {
                return entries.filter(Files::isRegularFile)
                        .filter(file -> !file.getFileName().toString().startsWith("."))
                        .sorted()
                        .toList();
            } catch (IOException e) {
                throw new TicketKeyException(
                        "ticket keys not usable: " + directory + " cannot be listed (" + e
                                + "); name a directory that user " + System.getProperty("user.name") + " may read",
                        e);
            }
        }

        void close() {
            keys.forEach(TicketKey::close);
        }
    }
}
