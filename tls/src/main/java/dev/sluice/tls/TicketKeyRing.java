package dev.sluice.tls;

import dev.sluice.ffi.MallocAllocator;
import dev.sluice.ffi.openssl.HandshakeCallbacks.Target;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.TicketKeyInfo.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys that session tickets are sealed with, which replace each other by the clock. Contexts that share a ring resume
 * each other's sessions.
 *
 * <pre>
 *   made            notBefore               + rotate                 notAfter = notBefore + rotate + keep
 *    │    next          │     current            │        previous         │   expired
 *    ├──────────────────┼────────────────────────┼─────────────────────────┼──────▶ wiped
 *    opens              seals and opens          opens, client gets a      neither
 *                                                ticket of the current one
 * </pre>
 *
 * <p>So every ticket can be used for {@code keep} at least. Which key is current is decided by the clock when a ticket is
 * sealed. A ring either makes its keys itself, for which {@link #advance()} is called now and then, or is given them by
 * {@link #install}. Whoever has a key reads recorded TLS 1.2 traffic and the early data of TLS 1.3, so old ones must go.
 *
 * <p>May be used from any thread; handshakes take no lock. The keys lie in native memory. The ring is closed after the last
 * connection of its contexts.
 */
public final class TicketKeyRing implements AutoCloseable {
    /** Most keys of a ring, for what {@code rotate} and {@code keep} may be. */
    public static final int MAX_KEYS = 128;

    /** What became of tickets. */
    public enum Outcome {
        /** Sealed for a client. */
        SEALED,
        /** Opened with the current key. */
        CURRENT,
        /** Opened with a key that no longer seals, or does not seal yet. */
        PREVIOUS,
        /** Nobody here knows the key. */
        UNKNOWN,
        /** The key was ours and has expired. */
        EXPIRED
    }

    /** For so long a key that has expired is still known as such. */
    static final Duration FORGET_DELAY = Duration.ofMinutes(1);

    /** After that, the time in which a handshake that still holds it comes to its end, by a clock that nobody sets. */
    static final Duration WIPE_DELAY = Duration.ofSeconds(10);

    private final @Nullable TicketKeyPlan plan;
    private final Duration keep;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final NativeAllocator allocator;
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);

    /** The one that becomes current last comes first. Replaced as a whole, by whoever holds the lock. */
    private volatile TimedTicketKey[] entries = {};

    /** All that have not been wiped. */
    private final List<TicketKey> owned = new ArrayList<>();

    /** Those of them that no new handshake finds any more, the oldest first. */
    private final Queue<Retired> retired = new ArrayDeque<>();

    private boolean closed;

    private record Retired(TicketKey key, long sinceNanos) {}

    /**
     * Makes a ring that makes its keys itself, with one that is current, and the next one.
     *
     * @param rotate how long a key seals, at least a second
     * @param keep how long tickets can be used, at least a second
     * @throws TlsConfigurationException when that takes more than {@link #MAX_KEYS} keys
     */
    public TicketKeyRing(Duration rotate, Duration keep, InstantSource clock) {
        this(rotate, keep, clock, System::nanoTime, new MallocAllocator());
    }

    /**
     * Makes an empty ring for keys that are installed. As long as it is empty clients get no tickets.
     *
     * @param keep how long tickets can be used
     */
    public static TicketKeyRing installed(Duration keep, InstantSource clock) {
        return new TicketKeyRing(keep, clock, System::nanoTime, new MallocAllocator(), null);
    }

    TicketKeyRing(
            Duration rotate, Duration keep, InstantSource clock, LongSupplier nanoTime, NativeAllocator allocator) {
        this(keep, clock, nanoTime, allocator, TicketKeyPlan.alone(rotate, keep));
        rotateNow();
    }

    private TicketKeyRing(
            Duration keep,
            InstantSource clock,
            LongSupplier nanoTime,
            NativeAllocator allocator,
            @Nullable TicketKeyPlan plan) {
        this.plan = plan;
        this.keep = keep;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.allocator = allocator;
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, new LongAdder());
        }
    }

    /** How long a session can be resumed. */
    public Duration keep() {
        return keep;
    }

    /** Makes the next key when it is time to, and wipes old ones. Returns when it should be called again. */
    public synchronized Instant advance() {
        long now = clock.millis();
        TicketKeyPlan own = ownPlan();
        install(own.advanced(timedKeys(), now, this::newKey));
        return Instant.ofEpochMilli(own.nextChangeMillis(timedKeys(), now));
    }

    /** Makes a new key current at once, and one that follows it; those that were to come are dropped. */
    public synchronized void rotateNow() {
        install(ownPlan().rotated(timedKeys(), clock.millis(), this::newKey));
    }

    private TicketKeyPlan ownPlan() {
        requireOpen();
        if (plan == null) {
            throw new IllegalStateException("these ticket keys are installed, so their source rotates them");
        }
        return plan;
    }

    private TicketKey newKey() {
        return TicketKey.random(allocator);
    }

    /**
     * Has these keys instead of those before, from the next ticket on. One that it has already is given the new times; one that
     * is missing expires at once; what has expired for a while is wiped. Of a key that is listed twice the first counts.
     *
     * @param keys belong to the ring from now on, whatever comes of the call
     */
    public synchronized void install(List<TimedTicketKey> keys) {
        if (closed) {
            keys.forEach(key -> key.key().close());
        }
        requireOpen();
        long now = clock.millis();
        List<TimedTicketKey> changed = new ArrayList<>();
        for (TimedTicketKey key : keys) {
            TimedTicketKey mine = owned(key);
            if (isMissing(mine, changed)) {
                changed.add(mine);
            }
        }
        for (TimedTicketKey old : entries) {
            if (isMissing(old, changed)) {
                // Another thread may look at it right now: it stays for a while, as one that has expired.
                changed.add(old.isAlive(now) ? old.openingUntil(now) : old);
            }
        }
        List<TimedTicketKey> kept = changed.stream()
                .filter(key -> now < key.notAfterMillis() || now - key.notAfterMillis() < FORGET_DELAY.toMillis())
                .toList();
        publish(kept);
        changed.stream().filter(key -> !kept.contains(key)).forEach(this::retire);
        wipe();
    }

    private static boolean isMissing(TimedTicketKey key, List<TimedTicketKey> among) {
        return among.stream().noneMatch(other -> other.key().isSameAs(key.key()));
    }

    /** The same with the key that the ring has under that name, if it has one. */
    private TimedTicketKey owned(TimedTicketKey given) {
        for (TicketKey mine : owned) {
            if (!mine.isSameAs(given.key())) {
                continue;
            }
            if (mine != given.key()) {
                given.key().close();
            }
            retired.removeIf(old -> old.key == mine);
            return new TimedTicketKey(mine, given.generation(), given.notBeforeMillis(), given.notAfterMillis());
        }
        owned.add(given.key());
        return given;
    }

    private void publish(List<TimedTicketKey> changed) {
        List<TimedTicketKey> sorted = new ArrayList<>(changed);
        sorted.sort(Comparator.comparingLong(TimedTicketKey::notBeforeMillis)
                .thenComparingInt(TimedTicketKey::generation)
                .reversed());
        entries = sorted.toArray(TimedTicketKey[]::new);
    }

    private void retire(TimedTicketKey key) {
        retired.add(new Retired(key.key(), nanoTime.getAsLong()));
    }

    /** What no handshake finds any more is wiped when none can hold it any more, either. */
    private void wipe() {
        long now = nanoTime.getAsLong();
        for (Retired oldest = retired.peek(); oldest != null; oldest = retired.peek()) {
            if (now - oldest.sinceNanos < WIPE_DELAY.toNanos()) {
                return;
            }
            retired.remove();
            TicketKey key = oldest.key;
            owned.removeIf(mine -> mine == key);
            key.close();
        }
    }

    /** The keys with their times, the newest first; they stay the ring's, and are not wiped before the next call that changes it. */
    public List<TimedTicketKey> timedKeys() {
        return List.of(entries);
    }

    /** What the keys are and in which state, the newest first. */
    public List<TicketKeyInfo> keys() {
        long now = clock.millis();
        TimedTicketKey[] all = entries;
        int current = current(all, now);
        List<TicketKeyInfo> told = new ArrayList<>();
        for (int i = 0; i < all.length; i++) {
            told.add(new TicketKeyInfo(
                    String.format("%016x", Long.reverseBytes(all[i].key().id())),
                    all[i].generation(),
                    i == current ? State.CURRENT : state(all[i], now),
                    Instant.ofEpochMilli(all[i].notBeforeMillis()),
                    Instant.ofEpochMilli(all[i].notAfterMillis())));
        }
        return told;
    }

    private static State state(TimedTicketKey entry, long now) {
        if (!entry.isAlive(now)) {
            return State.EXPIRED;
        }
        return entry.notBeforeMillis() > now ? State.NEXT : State.PREVIOUS;
    }

    /** How often that has come of a ticket. */
    public long count(Outcome outcome) {
        return counter(outcome).sum();
    }

    private LongAdder counter(Outcome outcome) {
        LongAdder counter = outcomes.get(outcome);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + outcome);
        }
        return counter;
    }

    // --- what handshakes ask ----------------------------------------------------------------------------------------

    /** Seals a ticket: see {@link Target#onTicketKey}. */
    int seal(long name, long iv, long cipherContext, long macContext) {
        TimedTicketKey[] all = entries;
        long now = clock.millis();
        if (all.length == 0) {
            return Target.NO_TICKET;
        }
        TimedTicketKey current = all[current(all, now)];
        // None is in force when nobody has advanced the ring for long: what is about to be wiped must not seal.
        if (!current.isAlive(now) || !current.key().seal(name, iv, cipherContext, macContext)) {
            return Target.NO_TICKET;
        }
        counter(Outcome.SEALED).increment();
        return Target.TICKET_OK;
    }

    /** Finds the key that opens a ticket; {@link TicketResult#NONE} when it is there and cannot be used. */
    TicketResult open(long name, long iv, long cipherContext, long macContext) {
        TimedTicketKey[] all = entries;
        long now = clock.millis();
        for (int i = 0; i < all.length; i++) {
            TimedTicketKey entry = all[i];
            if (!entry.key().isNamed(name)) {
                continue;
            }
            if (!entry.isAlive(now)) {
                counter(Outcome.EXPIRED).increment();
                return TicketResult.EXPIRED;
            }
            if (!entry.key().open(iv, cipherContext, macContext)) {
                return TicketResult.NONE;
            }
            boolean isCurrent = i == current(all, now);
            counter(isCurrent ? Outcome.CURRENT : Outcome.PREVIOUS).increment();
            return isCurrent ? TicketResult.CURRENT : TicketResult.PREVIOUS;
        }
        counter(Outcome.UNKNOWN).increment();
        return TicketResult.UNKNOWN;
    }

    /**
     * Whether one of the keys opens tickets with this name now; counts nothing.
     *
     * @param name address of 16 bytes
     */
    boolean canOpen(long name) {
        long now = clock.millis();
        for (TimedTicketKey entry : entries) {
            if (entry.key().isNamed(name)) {
                return entry.isAlive(now);
            }
        }
        return false;
    }

    /** The newest whose time has come; the newest of all when the clock was set to before or behind all of them. */
    private static int current(TimedTicketKey[] all, long now) {
        for (int i = 0; i < all.length; i++) {
            if (all[i].isInForce(now)) {
                return i;
            }
        }
        return 0;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("ticket keys used after their close");
        }
    }

    /** Wipes and frees the keys. Again without effect. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            entries = new TimedTicketKey[0];
            retired.clear();
            owned.forEach(TicketKey::close);
            owned.clear();
        }
    }
}
