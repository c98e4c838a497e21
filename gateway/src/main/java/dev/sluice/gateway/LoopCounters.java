package dev.sluice.gateway;

import dev.sluice.ffi.CounterRegion;
import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.counters.CounterTable;
import dev.sluice.gateway.counters.TimeHistogram;
import dev.sluice.tls.ClientPreference;
import dev.sluice.tls.Detach;
import dev.sluice.tls.LoopCrypto;
import dev.sluice.tls.HandshakeInfo;
import dev.sluice.tls.HandshakeKind;
import dev.sluice.tls.ResumptionMiss;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.record.CryptoMeter.Phase;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one loop: written by the loop alone, so that no addition needs a lock, and read by anybody. They lie
 * outside of the Java heap, in one region that is laid out once:
 *
 * <pre>
 *   | Counter | ends | handshakes | failures | misses | servers | names | durations by kind | preferences |
 * </pre>
 */
final class LoopCounters implements AutoCloseable {
    /** What is counted by server, too: the columns of a server's row. */
    static final Set<Counter> BY_SERVER = EnumSet.range(Counter.BACKEND_CONNECTS, Counter.HEALTH_CHECKS_FAILED);

    private static final int COUNTERS = Counter.values().length;
    /** How many combinations of labels are told apart; what comes then counts as others. */
    private static final int HANDSHAKES_MAX = 96;

    private static final int MISSES_MAX = 16;
    private static final int SERVERS_MAX = 128;
    private static final int NAMES_MAX = 128;

    private static final int ENDS_SLOT = COUNTERS;
    private static final int HANDSHAKES_SLOT = ENDS_SLOT + EndCounters.SLOTS;
    private static final int FAILURES_SLOT = HANDSHAKES_SLOT + CounterTable.slots(HANDSHAKES_MAX, 1);
    private static final int MISSES_SLOT = FAILURES_SLOT + EndCounters.SLOTS;
    private static final int SERVERS_SLOT = MISSES_SLOT + CounterTable.slots(MISSES_MAX, 1);
    private static final int NAMES_SLOT = SERVERS_SLOT + CounterTable.slots(SERVERS_MAX, BY_SERVER.size());
    private static final int DURATIONS_SLOT = NAMES_SLOT + CounterTable.slots(NAMES_MAX, 1);
    private static final int PREFERENCES_SLOT = DURATIONS_SLOT + HandshakeKind.values().length * TimeHistogram.SLOTS;
    private static final int SLOTS = PREFERENCES_SLOT + ClientPreference.values().length;

    private final CounterRegion region;
    private final EndCounters ends;
    private final CounterTable handshakes;
    private final EndCounters failures;
    private final CounterTable misses;
    private final CounterTable servers;
    private final CounterTable names;
    private final Map<HandshakeKind, TimeHistogram> durations = new EnumMap<>(HandshakeKind.class);
    private volatile @Nullable LoopCrypto loopCrypto;

    /** @param loop the loop's name, for the owner of the memory */
    LoopCounters(String loop) {
        region = new CounterRegion(loop + " counters", SLOTS);
        ends = new EndCounters(region, ENDS_SLOT);
        handshakes = new CounterTable(region, HANDSHAKES_SLOT, 5, HANDSHAKES_MAX, 1);
        failures = new EndCounters(region, FAILURES_SLOT);
        misses = new CounterTable(region, MISSES_SLOT, 1, MISSES_MAX, 1);
        servers = new CounterTable(region, SERVERS_SLOT, 2, SERVERS_MAX, BY_SERVER.size());
        names = new CounterTable(region, NAMES_SLOT, 2, NAMES_MAX, 1);
        int slot = DURATIONS_SLOT;
        for (HandshakeKind kind : HandshakeKind.values()) {
            durations.put(kind, new TimeHistogram(region, slot));
            slot += TimeHistogram.SLOTS;
        }
    }

    // --- on the loop ------------------------------------------------------------------------------------------------

    void increment(Counter counter) {
        add(counter, 1);
    }

    void add(Counter counter, long amount) {
        region.add(counter.slot(), amount);
    }

    /** Counts one of {@link #BY_SERVER}, of all servers and of this one. */
    void increment(Counter counter, BackendPool pool, int server) {
        increment(counter);
        servers.incrementAt(column(counter), pool.config().name(), pool.serverName(server));
    }

    /** Where one of {@link #BY_SERVER} stands in a server's row. */
    static int column(Counter counter) {
        return counter.slot() - Counter.BACKEND_CONNECTS.slot();
    }

    /** A ClientHello has come. */
    void clientHello(ClientPreference preference) {
        region.add(slot(preference), 1);
    }

    @SuppressWarnings("EnumOrdinal") // a place in memory, never stored or sent
    private static int slot(ClientPreference preference) {
        return PREFERENCES_SLOT + preference.ordinal();
    }

    /** A handshake with a client is complete. */
    void handshakeComplete(HandshakeFacts handshake) {
        HandshakeInfo info = handshake.info();
        increment(info.resumed() ? Counter.HANDSHAKES_RESUMED : Counter.HANDSHAKES_FULL);
        add(Counter.HANDSHAKE_MICROS, info.handshakeMicros());
        handshakes.increment(info.kind().label(), info.version(), info.cipher(), info.group(), info.signature());
        names.increment(handshake.host(), info.kind().label());
        long waitedMicros = handshake.queueMicros() + info.wallMicros();
        duration(info.kind()).observe(TimeUnit.MICROSECONDS.toNanos(waitedMicros));
        ResumptionMiss miss = info.miss();
        if (miss != null) {
            misses.increment(miss.label());
        }
    }

    /** Counts the end of a client connection. */
    void ended(SessionEnd end) {
        increment(Counter.ENDED);
        ends.increment(end.side(), end.reason());
    }

    /** Counts a handshake with a client that was not completed. */
    void handshakeFailed(EndSide side, EndReason reason) {
        increment(Counter.HANDSHAKES_FAILED);
        failures.increment(side, reason);
    }

    /** Lets the loop's path tell which connections detach from libssl: it counts them itself. */
    void loopCrypto(LoopCrypto path) {
        loopCrypto = path;
    }

    // --- from any thread --------------------------------------------------------------------------------------------

    long get(Detach outcome) {
        LoopCrypto path = loopCrypto;
        return path == null ? 0 : path.count(outcome);
    }

    /** Processor time of the loop's TLS, in nanoseconds. */
    long nanos(Phase phase) {
        LoopCrypto path = loopCrypto;
        return path == null ? 0 : path.meter().nanos(phase);
    }

    long get(ClientPreference preference) {
        return region.get(slot(preference));
    }

    long get(Counter counter) {
        return region.get(counter.slot());
    }

    /** Returns the ends of client connections by label. */
    Map<String, Long> ends() {
        return new TreeMap<>(ends.sum(EndSide::label));
    }

    CounterTable handshakes() {
        return handshakes;
    }

    /** Returns the handshakes with clients that were not completed, by label and fault. */
    Map<List<String>, Long> failures() {
        return failures.sum((side, reason) ->
                List.of(side.labelInHandshake(reason), side.fault(reason).label()));
    }

    CounterTable misses() {
        return misses;
    }

    CounterTable names() {
        return names;
    }

    CounterTable servers() {
        return servers;
    }

    /** How long clients waited for handshakes of a kind. */
    TimeHistogram duration(HandshakeKind kind) {
        return Objects.requireNonNull(durations.get(kind));
    }

    /** Frees the memory and keeps the figures; after the end of the loop. */
    @Override
    public void close() {
        region.close();
    }
}
