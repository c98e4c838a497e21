package dev.sluice.gateway.outcome;

import dev.sluice.ffi.libc.CounterRegion;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.Metric.Counted;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.metrics.MetricType;
import dev.sluice.tls.ech.EchOutcome;
import dev.sluice.tls.engine.Detach;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.ResumptionMiss;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.lean.FallbackReason;
import dev.sluice.tls.record.CryptoMeter.Phase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one loop, indexed by {@link Metric}. Only the loop writes them, so that no addition takes a lock; any
 * thread reads them. They lie outside the Java heap, in one region whose layout follows from the catalogue:
 *
 * <pre>
 *   | slots, histograms or rows of a metric | … of the next one | … | rows of servers |
 * </pre>
 */
public final class LoopCounters implements AutoCloseable {
    /** Servers with rows of their own; the others share one. */
    private static final int SERVERS_MAX = 128;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final Metric[] METRICS = Metric.values();

    /** The first slot of each metric, or its first column in the rows of servers. */
    private static final int[] FIRST = new int[METRICS.length];

    private static final int SERVER_COLUMNS;
    private static final int SERVERS_SLOT;
    private static final int SLOTS;

    static {
        int slots = 0;
        int columns = 0;
        for (Metric metric : METRICS) {
            boolean isOfServers = metric.counted() == Counted.IN_SERVER_ROWS;
            FIRST[index(metric)] = isOfServers ? columns : slots;
            switch (metric.counted()) {
                case NOT_BY_LOOPS -> {}
                case IN_SLOTS -> slots += slots(metric);
                case IN_ROWS -> slots += CounterTable.slots(metric.rowsMax(), 1);
                case IN_SERVER_ROWS -> columns += metric.columns().size();
            }
        }
        SERVER_COLUMNS = columns;
        SERVERS_SLOT = slots;
        SLOTS = slots + CounterTable.slots(SERVERS_MAX, columns);
    }

    private final CounterRegion region;
    private final Map<Metric, CounterTable> rows = new EnumMap<>(Metric.class);
    private final CounterTable servers;
    private volatile @Nullable LoopCrypto loopCrypto;

    /**
     * Creates the counters of one loop.
     *
     * @param loop the loop's name, which names the owner of the memory
     */
    public LoopCounters(String loop) {
        region = new CounterRegion(loop + " counters", SLOTS);
        for (Metric metric : METRICS) {
            if (metric.counted() == Counted.IN_ROWS) {
                int labels = metric.labels().size();
                rows.put(metric, new CounterTable(region, FIRST[index(metric)], labels, metric.rowsMax(), 1));
            }
        }
        servers = new CounterTable(region, SERVERS_SLOT, 2, SERVERS_MAX, SERVER_COLUMNS);
    }

    @SuppressWarnings("EnumOrdinal") // a place in memory, never stored or sent
    private static int index(Enum<?> value) {
        return value.ordinal();
    }

    private static int slots(Metric metric) {
        return metric.columns().size() * (metric.type() == MetricType.HISTOGRAM ? TimeHistogram.SLOTS : 1);
    }

    // --- on the loop ------------------------------------------------------------------------------------------------

    /** Counts one event of a metric without labels. */
    public void increment(Metric metric) {
        add(metric, 1);
    }

    /** Adds to a metric without labels; nanoseconds if its unit is the second. */
    void add(Metric metric, long amount) {
        assert metric.counted() == Counted.IN_SLOTS && metric.columns().size() == 1 : metric;
        region.add(FIRST[index(metric)], amount);
    }

    /** Counts one event of a metric whose label has an enum's values. */
    public void increment(Metric metric, Enum<?> value) {
        add(metric, value, 1);
    }

    /** Adds to a metric whose label has an enum's values. */
    public void add(Metric metric, Enum<?> value, long amount) {
        assert metric.counted() == Counted.IN_SLOTS
                        && index(value) < metric.columns().size()
                : metric;
        region.add(FIRST[index(metric)] + index(value), amount);
    }

    /** Counts one event of a server. */
    public void increment(Metric metric, String backend, String server) {
        assert metric.counted() == Counted.IN_SERVER_ROWS && metric.columns().size() == 1 : metric;
        servers.incrementAt(FIRST[index(metric)], backend, server);
    }

    /** Counts one event of a server by an enum's values. */
    public void increment(Metric metric, Enum<?> value, String backend, String server) {
        assert metric.counted() == Counted.IN_SERVER_ROWS
                        && index(value) < metric.columns().size()
                : metric;
        servers.incrementAt(FIRST[index(metric)] + index(value), backend, server);
    }

    /** Counts a complete handshake with a client. */
    public void handshakeComplete(HandshakeFacts handshake) {
        HandshakeInfo info = handshake.info();
        String kind = info.kind().label();
        rows(Metric.TLS_HANDSHAKES).increment(kind, info.version(), info.cipher(), info.group(), info.signature());
        rows(Metric.TLS_SERVER_NAMES).increment(handshake.host(), kind);
        add(Metric.TLS_HANDSHAKE_LIBRARY, TimeUnit.MICROSECONDS.toNanos(info.handshakeMicros()));
        long waitedMicros = handshake.queueMicros() + info.wallMicros();
        TimeHistogram.observe(
                region,
                FIRST[index(Metric.TLS_HANDSHAKE_DURATION)] + index(info.kind()) * TimeHistogram.SLOTS,
                TimeUnit.MICROSECONDS.toNanos(waitedMicros));
        EchOutcome.State ech = info.ech().state();
        if (ech != EchOutcome.State.OFF) {
            rows(Metric.TLS_ECH).increment(ech.label(), handshake.outerName().label());
        }
        ResumptionMiss miss = info.miss();
        if (miss != null) {
            increment(Metric.TLS_RESUMPTION_MISSES, miss);
        }
    }

    /** Counts the end of a client connection. */
    public void ended(SessionEnd end) {
        rows(Metric.CONNECTION_ENDS).increment(end.side().label(end.reason()));
    }

    /** Counts a handshake with a client that was not completed. */
    public void handshakeFailed(EndSide side, EndReason reason) {
        rows(Metric.TLS_HANDSHAKE_FAILURES)
                .increment(side.labelInHandshake(reason), side.fault(reason).label());
    }

    private CounterTable rows(Metric metric) {
        return Objects.requireNonNull(rows.get(metric));
    }

    /** Sets the loop's crypto, which counts the connections that detach from libssl. */
    public void loopCrypto(LoopCrypto crypto) {
        loopCrypto = crypto;
    }

    // --- from any thread --------------------------------------------------------------------------------------------

    /** Adds what all loops have counted to a snapshot. */
    public static void collect(List<LoopCounters> loops, MetricSnapshot.Builder snapshot) {
        for (Metric metric : METRICS) {
            switch (metric.counted()) {
                case NOT_BY_LOOPS, IN_SERVER_ROWS -> {}
                case IN_SLOTS -> collectSlots(loops, metric, snapshot);
                case IN_ROWS ->
                    CounterTable.sum(loops.stream()
                                    .map(loop -> loop.rows(metric))
                                    .toList())
                            .forEach((labels, counts) ->
                                    snapshot.add(metric, new MetricSample(labels, (double) counts[0], null)));
            }
        }
        CounterTable.sum(loops.stream().map(loop -> loop.servers).toList())
                .forEach((labels, counts) -> collectServer(labels, counts, snapshot));
    }

    private static void collectSlots(List<LoopCounters> loops, Metric metric, MetricSnapshot.Builder snapshot) {
        long[] sums = new long[slots(metric)];
        for (LoopCounters loop : loops) {
            loop.addTo(sums, FIRST[index(metric)]);
        }
        List<String> columns = metric.columns();
        for (int column = 0; column < columns.size(); column++) {
            List<String> labels = metric.labels().isEmpty() ? List.of() : List.of(columns.get(column));
            snapshot.add(
                    metric,
                    switch (metric.type()) {
                        case HISTOGRAM -> {
                            var times = TimeHistogram.distribution(sums, column * TimeHistogram.SLOTS);
                            yield new MetricSample(labels, times.count(), times);
                        }
                        default -> new MetricSample(labels, value(metric, sums[column]), null);
                    });
        }
    }

    private static double value(Metric metric, long count) {
        return metric.unit() == Metric.Unit.SECONDS ? count / NANOS_PER_SECOND : count;
    }

    /** Reads backwards: where one value is part of the one before it, it may be too small, but never too large. */
    private void addTo(long[] sums, int first) {
        for (int i = sums.length - 1; i >= 0; i--) {
            sums[i] += region.get(first + i);
        }
    }

    private static void collectServer(List<String> server, long[] counts, MetricSnapshot.Builder snapshot) {
        for (Metric metric : METRICS) {
            if (metric.counted() == Counted.IN_SERVER_ROWS) {
                List<String> columns = metric.columns();
                for (int column = 0; column < columns.size(); column++) {
                    List<String> labels = new ArrayList<>(server);
                    if (labels.size() < metric.labels().size()) {
                        labels.add(columns.get(column));
                    }
                    snapshot.add(metric, new MetricSample(labels, counts[FIRST[index(metric)] + column], null));
                }
            }
        }
    }

    /** Returns the sum of all series of a metric that this loop counts in slots or rows. */
    public long get(Metric metric) {
        if (metric.counted() == Counted.IN_ROWS) {
            return rows(metric).total();
        }
        long[] counts = new long[slots(metric)];
        addTo(counts, FIRST[index(metric)]);
        return Arrays.stream(counts).sum();
    }

    /** Returns the ends of client connections by reason. */
    public Map<String, Long> ends() {
        Map<String, Long> result = new TreeMap<>();
        rows(Metric.CONNECTION_ENDS).forEach((labels, counts) -> result.put(labels.getFirst(), counts[0]));
        return result;
    }

    /** Returns the number of handshakes after which the loop's connections detached from libssl or did not. */
    public long get(Detach outcome) {
        LoopCrypto path = loopCrypto;
        return path == null ? 0 : path.count(outcome);
    }

    /** Returns the number of handshakes that were left to libssl for a reason. */
    public long get(FallbackReason reason) {
        LoopCrypto path = loopCrypto;
        return path == null ? 0 : path.count(reason);
    }

    /** Returns the number of ClientHellos that the lean handshake has answered. */
    public long leanFlights() {
        LoopCrypto path = loopCrypto;
        return path == null ? 0 : path.leanFlights();
    }

    /** Returns the CPU time of the loop's TLS in nanoseconds. */
    public long nanos(Phase phase) {
        LoopCrypto path = loopCrypto;
        return path == null ? 0 : path.meter().nanos(phase);
    }

    /** Frees the memory and keeps the values; after the end of the loop. */
    @Override
    public void close() {
        region.close();
    }
}
