package dev.sluice.gateway.tickets;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.gateway.tickets.DocumentStore.Snapshot;
import dev.sluice.tls.ticket.TicketKeyPlan;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TimedTicketKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keys that the nodes of a fleet share through a document in a store.
 *
 * <p>Every node polls the document and goes by it. Whoever sees that a key is missing adds it, several ahead of their
 * time; the store takes the change of one of them, and the others go by that. So nobody leads, no two rotate at once,
 * and a node that loses the store has keys for hours, after a restart too if it has a cache. When those are over it
 * makes keys of its own, which the others learn of when the store is back: no client goes without a ticket, but
 * resumption across nodes suffers, so that is an alarm.
 *
 * <p>What stands in the store is believed only if it is sealed under the fleet's key, and not older than what was seen
 * before. Else the keys that there are go on.
 */
final class SharedKeys implements TicketKeySource {
    /** A clock that is wrong by more is told of. */
    static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

    /** The number of attempts at a change when another node was first; each time that node's change is in. */
    private static final int ATTEMPTS = 8;

    /**
     * Polls lie apart by the interval plus or minus a fifth, so that nodes that start together do not stay together.
     */
    private static final double JITTER = 0.2;

    private static final MallocAllocator ALLOCATOR = new MallocAllocator();

    private final TicketKeyRing ring;
    private final TicketKeyPlan plan;
    private final FleetClock clock;
    private final DocumentStore store;
    private final FleetKey fleetKey;
    private final @Nullable KeyCache cache;
    private final Duration interval;
    private final TicketKeyLog log;
    private final Trouble trouble;
    private final Trouble clockTrouble;

    /** Keys that sealed here and that no document has: others cannot open their tickets yet. */
    private final List<TicketKey> unpublished = new ArrayList<>();

    private long lineage;
    private volatile long generation;
    private long writtenMillis;
    private volatile @Nullable Instant synced;
    private final AtomicLong localKeys = new AtomicLong();

    /**
     * Begins without keys.
     *
     * @param ring goes by the same clock
     * @param plan with at least two intervals of notice
     * @param cache what was read is kept there, for a start without the store; null: nowhere
     * @param interval how often the document is read
     */
    SharedKeys(
            TicketKeyRing ring,
            TicketKeyPlan plan,
            FleetClock clock,
            DocumentStore store,
            FleetKey fleetKey,
            @Nullable StateFile cache,
            Duration interval,
            TicketKeyLog log) {
        this.ring = ring;
        this.plan = plan;
        this.clock = clock;
        this.store = store;
        this.fleetKey = fleetKey;
        this.cache = cache == null ? null : new KeyCache(cache, new Trouble(log));
        this.interval = interval;
        this.log = log;
        this.trouble = new Trouble(log);
        this.clockTrouble = new Trouble(log);
    }

    @Override
    public Duration refresh() {
        try {
            change(keys -> plan.advanced(keys, clock.millis(), SharedKeys::newKey));
            trouble.isOver("ticket keys are those of " + store + " again");
        } catch (TicketKeyException e) {
            trouble.is(e.getMessage() + "; the current keys stay in use");
            recall();
            makeDoWithoutStore();
        }
        ring.install(ring.timedKeys()); // wipes what has expired
        double factor = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return Duration.ofMillis(Math.max(1, Math.round(interval.toMillis() * factor)));
    }

    @Override
    public String rotate() throws TicketKeyException {
        change(keys -> plan.rotated(keys, clock.millis(), SharedKeys::newKey));
        return "a new key seals on all nodes in " + plan.notice() + "; old ones open tickets until they expire";
    }

    @Override
    public String take(List<TicketKey> given) throws TicketKeyException {
        Given once = new Given(given);
        try {
            change(keys -> {
                List<TimedTicketKey> all = new ArrayList<>(keys);
                all.addAll(once.copies(keys, clock.millis() + plan.keep().toMillis()));
                return all;
            });
        } finally {
            given.forEach(TicketKey::close);
        }
        return given.size() + " keys open tickets on all nodes within " + plan.notice() + ", for " + plan.keep();
    }

    /** Keys that were given, of which each attempt to publish them takes a copy. */
    private record Given(List<TicketKey> keys) {
        /** Returns copies of those keys that are not present already. */
        List<TimedTicketKey> copies(List<TimedTicketKey> present, long endMillis) {
            return keys.stream()
                    .filter(key ->
                            present.stream().noneMatch(other -> other.key().isSameAs(key)))
                    .map(key -> new TimedTicketKey(TicketKey.of(ALLOCATOR, key.secret()), 0, 0, endMillis))
                    .toList();
        }
    }

    private static TicketKey newKey() {
        return TicketKey.random(ALLOCATOR);
    }

    /** A function from the present keys to those that there should be. New ones belong to the caller. */
    @FunctionalInterface
    private interface Change {
        List<TimedTicketKey> of(List<TimedTicketKey> keys);
    }

    /** Goes by the store's document, and changes it if there is anything to change. */
    private void change(Change change) throws TicketKeyException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Snapshot snapshot = readAndSetClock();
            boolean isAhead = adopt(snapshot);
            List<TimedTicketKey> before = alive();
            List<TimedTicketKey> after = change.of(publishable(before));
            boolean isDone = !isAhead && after.equals(before);
            if (isDone || publish(snapshot, before, after)) {
                synced = clock.own();
                if (cache != null) {
                    cache.keep(new TicketKeyDocument(lineage, generation, writtenMillis, alive()));
                }
                return;
            }
        }
        throw new TicketKeyException("ticket keys of " + store + " were changed by others " + ATTEMPTS
                + " times while this node wanted to change them; this comes right by itself, unless something else than"
                + " the nodes writes there");
    }

    private List<TimedTicketKey> alive() {
        long now = clock.millis();
        return ring.timedKeys().stream().filter(key -> key.isAlive(now)).toList();
    }

    /** The same, but those that nobody else has yet open only, and those that never sealed are left out. */
    private List<TimedTicketKey> publishable(List<TimedTicketKey> keys) {
        long now = clock.millis();
        List<TimedTicketKey> all = new ArrayList<>();
        for (TimedTicketKey key : keys) {
            if (!isUnpublished(key)) {
                all.add(key);
            } else if (key.notBeforeMillis() <= now) {
                all.add(key.openingUntil(key.notAfterMillis()));
            }
        }
        return all;
    }

    private boolean isUnpublished(TimedTicketKey key) {
        return unpublished.stream().anyMatch(mine -> mine.isSameAs(key.key()));
    }

    private Snapshot readAndSetClock() throws TicketKeyException {
        Instant before = clock.own();
        Snapshot snapshot = store.read();
        clock.set(snapshot.time(), before, clock.own());
        Duration offset = clock.offset();
        if (offset.abs().compareTo(CLOCK_TOLERANCE) > 0) {
            String direction = offset.isNegative() ? " ahead of" : " behind";
            clockTrouble.is("this machine's clock is about " + roughly(offset.abs()) + direction + " that of " + store
                    + "; ticket keys go by the store's, but set the clock (NTP)");
        } else {
            clockTrouble.isOver("this machine's clock agrees with that of " + store + " again");
        }
        return snapshot;
    }

    private @Nullable TicketKeyDocument opened(Snapshot snapshot) throws TicketKeyException {
        if (snapshot.isEmpty()) {
            return null;
        }
        TicketKeyDocument document = fleetKey.open(snapshot.document(), store.toString());
        if (document.generation() != snapshot.generation()) {
            document.closeKeys();
            throw new TicketKeyException("ticket keys of " + store + " not usable: generation " + document.generation()
                    + " stands there as " + snapshot.generation()
                    + ", so somebody else than a node wrote it; delete it, and the nodes write what they have");
        }
        return document;
    }

    /** So that it is not told anew at each poll. */
    private static String roughly(Duration offset) {
        if (offset.toHours() > 0) {
            return offset.plusMinutes(30).toHours() + " hours";
        }
        return offset.toMinutes() > 0 ? offset.plusSeconds(30).toMinutes() + " minutes" : "a few seconds";
    }

    // --- what stands in the store -----------------------------------------------------------------------------------

    /**
     * Takes over what is new.
     *
     * @return whether this node has keys that belong into the store and are not there
     */
    private boolean adopt(Snapshot snapshot) throws TicketKeyException {
        TicketKeyDocument document = opened(snapshot);
        if (document == null) {
            return !alive().isEmpty();
        }
        if (document.lineage() == lineage && document.generation() == generation) {
            document.closeKeys();
            return !unpublished.isEmpty();
        }
        if (isOutdated(document)) {
            document.closeKeys();
            log.warn("ticket keys of " + store + " not used: generation " + document.generation() + " of "
                    + Instant.ofEpochMilli(document.writtenMillis()) + " stands there, and generation " + generation
                    + " was there before; somebody has brought back an old document. This node writes what it has");
            return true;
        }
        if (document.lineage() != lineage) {
            rememberUnpublished(document);
        }
        List<TimedTicketKey> all = new ArrayList<>(document.keys());
        alive().stream().filter(this::isUnpublished).forEach(all::add);
        ring.install(all);
        lineage = document.lineage();
        generation = document.generation();
        writtenMillis = document.writtenMillis();
        return !unpublished.isEmpty();
    }

    /**
     * The store has begun anew: what sealed here and is missing there is to go there. In a document that goes on from
     * the one that we had, keys are missing because somebody left them out.
     */
    private void rememberUnpublished(TicketKeyDocument document) {
        long now = clock.millis();
        alive().stream()
                .filter(mine -> mine.isInForce(now) && !isUnpublished(mine))
                .filter(mine -> document.keys().stream()
                        .noneMatch(theirs -> theirs.key().isSameAs(mine.key())))
                .forEach(mine -> unpublished.add(mine.key()));
    }

    private boolean isOutdated(TicketKeyDocument document) {
        return document.lineage() == lineage
                ? document.generation() < generation
                : document.writtenMillis() < writtenMillis;
    }

    /**
     * Publishes keys.
     *
     * @return false when another node was first
     */
    private boolean publish(Snapshot snapshot, List<TimedTicketKey> before, List<TimedTicketKey> after)
            throws TicketKeyException {
        long next = Math.max(snapshot.generation(), generation) + 1;
        long now = Math.max(clock.millis(), writtenMillis);
        long line = snapshot.isEmpty() ? ThreadLocalRandom.current().nextLong() : lineage;
        TicketKeyDocument document = new TicketKeyDocument(line, next, now, after);
        boolean done = false;
        try {
            done = store.replace(snapshot.generation(), next, fleetKey.seal(document));
        } finally {
            if (!done) {
                after.stream()
                        .filter(key -> before.stream().noneMatch(old -> old.key() == key.key()))
                        .forEach(key -> key.key().close());
            }
        }
        if (done) {
            ring.install(after);
            lineage = line;
            generation = next;
            writtenMillis = now;
            unpublished.clear();
        }
        return done;
    }

    // --- without the store ------------------------------------------------------------------------------------------

    /** Takes what was read from the store before this start, when nothing has been read since. */
    private void recall() {
        TicketKeyDocument kept =
                cache == null || synced != null || !ring.timedKeys().isEmpty() ? null : cache.recall();
        if (kept != null) {
            ring.install(kept.keys());
            lineage = kept.lineage();
            generation = kept.generation();
            writtenMillis = kept.writtenMillis();
        }
    }

    /** The keys that are ready may be used up; then there must be others, for as long as it takes. */
    private void makeDoWithoutStore() {
        long now = clock.millis();
        List<TimedTicketKey> keys = alive();
        long latest =
                keys.stream().mapToLong(TimedTicketKey::notBeforeMillis).max().orElse(0);
        if (latest + plan.rotate().toMillis() > now) {
            return;
        }
        List<TimedTicketKey> changed =
                TicketKeyPlan.alone(plan.rotate(), plan.keep()).advanced(keys, now, SharedKeys::newKey);
        changed.stream().filter(key -> !keys.contains(key)).forEach(key -> unpublished.add(key.key()));
        ring.install(changed);
        log.warn("no ticket keys are left that other nodes have, so this node makes its own ("
                + localKeys.incrementAndGet() + " times since" + " start): its sessions resume nowhere else until "
                + store + " can be used");
    }

    @Override
    public SourceStatus status() {
        String alarm = trouble.message() != null ? trouble.message() : clockTrouble.message();
        return new SourceStatus(
                store.toString(), generation, alarm, synced, trouble.count(), localKeys.get(), clock.offset());
    }

    @Override
    public void close() {
        store.close();
        fleetKey.close();
        if (cache != null) {
            cache.close();
        }
    }
}
