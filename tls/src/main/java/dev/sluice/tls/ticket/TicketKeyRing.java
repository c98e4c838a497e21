package dev.sluice.tls.ticket;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.HandshakeCallbacks.Target;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.ticket.TicketKeyInfo.State;
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
 * The session-ticket keys, rotated by the clock. Contexts that share a ring resume each other's sessions.
 *
 * <pre>
 *   made            notBefore               + rotate                 notAfter = notBefore + rotate + keep
 *    │    next          │     current            │        previous         │   expired
 *    ├──────────────────┼────────────────────────┼─────────────────────────┼──────▶ wiped
 *    opens              seals and opens          opens, client gets a      neither
 *                                                ticket of the current one
 * </pre>
 *
 * <p>Every ticket is thus usable for at least {@code keep}. The clock selects the current key when a ticket is sealed.
 * A ring either creates its keys itself, through periodic calls of {@link #advance()}, or receives them from {@link
 * #install}. A key decrypts recorded TLS 1.2 traffic and TLS 1.3 early data, so old keys must be wiped.
 *
 * <p>May be used from any thread; handshakes take no lock. The keys are in native memory. The ring is closed after the
 * last connection of its contexts.
 */
public final class TicketKeyRing implements AutoCloseable {
    /** The maximum number of keys, which bounds {@code rotate} and {@code keep}. */
    public static final int MAX_KEYS = 128;

    /** The outcomes of tickets. */
    public enum Outcome {
        /** Sealed for a client. */
        SEALED,
        /** Opened with the current key. */
        CURRENT,
        /** Opened with a key that no longer seals, or does not seal yet. */
        PREVIOUS,
        /** The key is unknown. */
        UNKNOWN,
        /** The key has expired. */
        EXPIRED
    }

    /** The time for which an expired key is still recognized. */
    static final Duration FORGET_DELAY = Duration.ofMinutes(1);

    /** The further time in which handshakes that hold the key complete, by the monotonic clock. */
    static final Duration WIPE_DELAY = Duration.ofSeconds(10);

    private final @Nullable TicketKeyPlan plan;
    private final Duration keep;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final NativeAllocator allocator;
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);

    /** The keys in reverse order of their sealing time. Replaced as a whole under the lock. */
    private volatile TimedTicketKey[] entries = {};

    /** All keys that are not wiped. */
    private final List<TicketKey> owned = new ArrayList<>();

    /** Those that no new handshake finds any more, the oldest first. */
    private final Queue<Retired> retired = new ArrayDeque<>();

    private boolean closed;

    private record Retired(TicketKey key, long sinceNanos) {}

    /**
     * Creates a ring that generates its own keys, with a current key and the next one.
     *
     * @param rotate sealing time of a key, at least a second
     * @param keep lifetime of tickets, at least a second
     * @throws TlsConfigurationException when that requires more than {@link #MAX_KEYS} keys
     */
    public TicketKeyRing(Duration rotate, Duration keep, InstantSource clock) {
        this(rotate, keep, clock, System::nanoTime, new MallocAllocator());
    }

    /**
     * Creates an empty ring for installed keys. While it is empty, clients get no tickets.
     *
     * @param keep lifetime of tickets
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

    /** Returns the lifetime of sessions. */
    public Duration keep() {
        return keep;
    }

    /** Creates the next key when due and wipes old ones. Returns the time of the next call. */
    synchronized Instant advance() {
        long now = clock.millis();
        TicketKeyPlan own = ownPlan();
        install(own.advanced(timedKeys(), now, this::newKey));
        return Instant.ofEpochMilli(own.nextChangeMillis(timedKeys(), now));
    }

    /** Replaces the current key with a new one immediately and adds its successor; drops future keys. */
    public synchronized void rotateNow() {
        install(ownPlan().rotated(timedKeys(), clock.millis(), this::newKey));
    }

    private TicketKeyPlan ownPlan() {
        requireOpen();
        if (plan == null) {
            throw new IllegalStateException("ticket keys are installed from outside; rotate them at their source");
        }
        return plan;
    }

    private TicketKey newKey() {
        return TicketKey.random(allocator);
    }

    /**
     * Installs keys, which replace the previous ones from the next ticket on. A known key is given the new times; a
     * missing one expires immediately; keys that expired a while ago are wiped. The first of two entries with the same
     * key wins.
     *
     * @param keys owned by the ring from now on, even if this throws
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
                // Another thread may be using it: it stays for a while as an expired key.
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

    /** Returns the given times with the ring's own key of the same name, if it has one. */
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

    /** Wipes the keys that no handshake can hold any more. */
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

    /**
     * Returns the keys with their times, the newest first; owned by the ring and not wiped before the next call that
     * changes it.
     */
    public List<TimedTicketKey> timedKeys() {
        return List.of(entries);
    }

    /** Returns the keys and their states, the newest first. */
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

    /** Returns the number of tickets with this outcome. */
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

    // --- calls from handshakes -------------------------------------------------------------------------------------

    /** Seals a ticket: see {@link Target#onTicketKey}. */
    public int seal(long name, long iv, long cipherContext, long macContext) {
        TimedTicketKey[] all = entries;
        long now = clock.millis();
        if (all.length == 0) {
            return Target.NO_TICKET;
        }
        TimedTicketKey current = all[current(all, now)];
        // No key is in force when the ring was not advanced for long: keys about to be wiped must not seal.
        if (!current.isAlive(now) || !current.key().seal(name, iv, cipherContext, macContext)) {
            return Target.NO_TICKET;
        }
        counter(Outcome.SEALED).increment();
        return Target.TICKET_OK;
    }

    /** Finds the key that opens a ticket; {@link TicketResult#NONE} when the key is known but unusable. */
    public TicketResult open(long name, long iv, long cipherContext, long macContext) {
        TicketResult found = tryOpen(name, iv, cipherContext, macContext);
        count(found);
        return found;
    }

    /** Counts the outcome of {@link #tryOpen}. */
    public void count(TicketResult found) {
        switch (found) {
            case EXPIRED -> counter(Outcome.EXPIRED).increment();
            case CURRENT -> counter(Outcome.CURRENT).increment();
            case PREVIOUS -> counter(Outcome.PREVIOUS).increment();
            case UNKNOWN -> counter(Outcome.UNKNOWN).increment();
            case NONE -> {
                // The key could not be used: libssl reports its own failure.
            }
        }
    }

    /** Finds the key like {@link #open}, but counts nothing. */
    public TicketResult tryOpen(long name, long iv, long cipherContext, long macContext) {
        TimedTicketKey[] all = entries;
        long now = clock.millis();
        for (int i = 0; i < all.length; i++) {
            TimedTicketKey entry = all[i];
            if (!entry.key().isNamed(name)) {
                continue;
            }
            if (!entry.isAlive(now)) {
                return TicketResult.EXPIRED;
            }
            if (!entry.key().open(iv, cipherContext, macContext)) {
                return TicketResult.NONE;
            }
            boolean isCurrent = i == current(all, now);
            return isCurrent ? TicketResult.CURRENT : TicketResult.PREVIOUS;
        }
        return TicketResult.UNKNOWN;
    }

    /**
     * Returns whether one of the keys opens tickets with this name now; counts nothing.
     *
     * @param name address of 16 bytes
     */
    public boolean canOpen(long name) {
        long now = clock.millis();
        for (TimedTicketKey entry : entries) {
            if (entry.key().isNamed(name)) {
                return entry.isAlive(now);
            }
        }
        return false;
    }

    /** Returns the newest key whose time has come; the newest of all if the clock is outside their range. */
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

    /** Wipes and frees the keys. Idempotent. */
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
