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
 * sealed: {@link #advance()} only makes the next key ahead of its time, and wipes those that have expired. Whoever has a key
 * reads recorded TLS 1.2 traffic and the early data of TLS 1.3, so old ones must go.
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

    private final Duration rotate;
    private final Duration keep;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final NativeAllocator allocator;
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);

    /** The one that becomes current last comes first. Replaced as a whole, by whoever holds the lock. */
    private volatile Entry[] entries = {};

    /** All that have not been wiped. */
    private final List<TicketKey> owned = new ArrayList<>();

    /** Those of them that no new handshake finds any more, the oldest first. */
    private final Queue<Retired> retired = new ArrayDeque<>();

    private int generation;
    private boolean closed;

    private record Retired(TicketKey key, long sinceNanos) {}

    private record Entry(TicketKey key, int generation, long notBeforeMillis, long notAfterMillis) {}

    /**
     * Makes a ring with a key that is current, and the next one.
     *
     * @param rotate how long a key seals, at least a second
     * @param keep how long tickets can be used, at least a second
     * @throws TlsConfigurationException when that takes more than {@link #MAX_KEYS} keys
     */
    public TicketKeyRing(Duration rotate, Duration keep, InstantSource clock) {
        this(rotate, keep, clock, System::nanoTime, new MallocAllocator());
    }

    TicketKeyRing(
            Duration rotate, Duration keep, InstantSource clock, LongSupplier nanoTime, NativeAllocator allocator) {
        requireSane(rotate, keep);
        this.nanoTime = nanoTime;
        this.allocator = allocator;
        this.rotate = rotate;
        this.keep = keep;
        this.clock = clock;
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, new LongAdder());
        }
        rotateNow();
    }

    private static void requireSane(Duration rotate, Duration keep) {
        Duration least = Duration.ofSeconds(1);
        if (rotate.compareTo(least) < 0 || keep.compareTo(least) < 0) {
            throw new TlsConfigurationException(
                    "ticket keys live a second at least, rotate=" + rotate + ", keep=" + keep);
        }
        if (keep.dividedBy(rotate) > MAX_KEYS - 4) {
            throw new TlsConfigurationException("tickets that are kept for " + keep + " with keys that rotate every "
                    + rotate + " take more than " + MAX_KEYS + " keys; rotate more slowly or keep them for less");
        }
    }

    /** How long a session can be resumed. */
    public Duration keep() {
        return keep;
    }

    /** Makes the next key when it is time to, and wipes old ones. Returns when it should be called again. */
    public synchronized Instant advance() {
        requireOpen();
        long now = clock.millis();
        List<Entry> kept = new ArrayList<>();
        List<TicketKey> forgotten = new ArrayList<>();
        for (Entry entry : entries) {
            if (now - entry.notAfterMillis >= FORGET_DELAY.toMillis()) {
                forgotten.add(entry.key);
            } else {
                kept.add(entry);
            }
        }
        if (kept.isEmpty()) {
            kept.add(made(now));
        }
        while (kept.getFirst().notBeforeMillis <= now) {
            // After a long sleep of the machine several are overdue: one that is current is enough.
            long due = kept.getFirst().notBeforeMillis + rotate.toMillis();
            kept.addFirst(made(Math.max(due, now)));
            if (due <= now) {
                kept.addFirst(made(now + rotate.toMillis()));
            }
        }
        publish(kept);
        wipe(forgotten);
        return Instant.ofEpochMilli(kept.getFirst().notBeforeMillis);
    }

    /** What no handshake finds any more is wiped when none can hold it any more, either. */
    private void wipe(List<TicketKey> forgotten) {
        long now = nanoTime.getAsLong();
        forgotten.forEach(key -> retired.add(new Retired(key, now)));
        for (Retired oldest = retired.peek(); oldest != null; oldest = retired.peek()) {
            if (now - oldest.sinceNanos < WIPE_DELAY.toNanos()) {
                return;
            }
            retired.remove();
            owned.remove(oldest.key);
            oldest.key.close();
        }
    }

    /** Makes a new key current at once, and one that follows it; those that were to come are dropped. */
    public synchronized void rotateNow() {
        requireOpen();
        long now = clock.millis();
        List<Entry> kept = new ArrayList<>();
        for (Entry entry : entries) {
            // Nothing is sealed with a key before its time, but another thread may look at it right now: it expires.
            kept.add(entry.notBeforeMillis > now ? new Entry(entry.key, entry.generation, 0, now) : entry);
        }
        kept.addFirst(made(now));
        kept.addFirst(made(now + rotate.toMillis()));
        publish(kept);
    }

    private Entry made(long notBeforeMillis) {
        long notAfterMillis = notBeforeMillis + rotate.toMillis() + keep.toMillis();
        TicketKey key = TicketKey.random(allocator);
        owned.add(key);
        return new Entry(key, ++generation, notBeforeMillis, notAfterMillis);
    }

    private void publish(List<Entry> changed) {
        changed.sort(Comparator.comparingLong(Entry::notBeforeMillis)
                .thenComparingInt(Entry::generation)
                .reversed());
        entries = changed.toArray(Entry[]::new);
    }

    /** What the keys are and in which state, the newest first. */
    public List<TicketKeyInfo> keys() {
        long now = clock.millis();
        Entry[] all = entries;
        Entry current = current(all, now);
        List<TicketKeyInfo> told = new ArrayList<>();
        for (Entry entry : all) {
            told.add(new TicketKeyInfo(
                    String.format("%016x", entry.key.id()),
                    entry.generation,
                    state(entry, current, now),
                    Instant.ofEpochMilli(entry.notBeforeMillis),
                    Instant.ofEpochMilli(entry.notAfterMillis)));
        }
        return told;
    }

    private static State state(Entry entry, Entry current, long now) {
        if (entry.generation == current.generation) {
            return State.CURRENT;
        }
        if (entry.notAfterMillis <= now) {
            return State.EXPIRED;
        }
        return entry.notBeforeMillis > now ? State.NEXT : State.PREVIOUS;
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

    /** See {@link Target#onTicketKey}. */
    int onTicketKey(long name, long iv, long cipherContext, long macContext, boolean sealing) {
        return sealing ? seal(name, iv, cipherContext, macContext) : open(name, iv, cipherContext, macContext);
    }

    private int seal(long name, long iv, long cipherContext, long macContext) {
        Entry[] all = entries;
        long now = clock.millis();
        if (all.length == 0) {
            return Target.NO_TICKET;
        }
        Entry current = current(all, now);
        // None is in force when nobody has advanced the ring for long: what is about to be wiped must not seal.
        if (current.notAfterMillis <= now || !current.key.seal(name, iv, cipherContext, macContext)) {
            return Target.NO_TICKET;
        }
        counter(Outcome.SEALED).increment();
        return Target.TICKET_OK;
    }

    private int open(long name, long iv, long cipherContext, long macContext) {
        Entry[] all = entries;
        long now = clock.millis();
        for (Entry entry : all) {
            if (!entry.key.isNamed(name)) {
                continue;
            }
            if (entry.notAfterMillis <= now) {
                counter(Outcome.EXPIRED).increment();
                return Target.NO_TICKET;
            }
            if (!entry.key.open(iv, cipherContext, macContext)) {
                return Target.NO_TICKET;
            }
            boolean isCurrent = entry.generation == current(all, now).generation;
            counter(isCurrent ? Outcome.CURRENT : Outcome.PREVIOUS).increment();
            return isCurrent ? Target.TICKET_OK : Target.TICKET_TO_RENEW;
        }
        counter(Outcome.UNKNOWN).increment();
        return Target.NO_TICKET;
    }

    /**
     * Whether one of the keys opens tickets with this name now; counts nothing.
     *
     * @param name address of 16 bytes
     */
    boolean canOpen(long name) {
        long now = clock.millis();
        for (Entry entry : entries) {
            if (entry.key.isNamed(name)) {
                return entry.notAfterMillis > now;
            }
        }
        return false;
    }

    /** The newest whose time has come; the newest of all when the clock was set to before or behind all of them. */
    private static Entry current(Entry[] all, long now) {
        for (Entry entry : all) {
            if (entry.notBeforeMillis <= now && entry.notAfterMillis > now) {
                return entry;
            }
        }
        return all[0];
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
            entries = new Entry[0];
            retired.clear();
            owned.forEach(TicketKey::close);
            owned.clear();
        }
    }
}
