package dev.sluice.gateway;

import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.counters.CounterTable;
import dev.sluice.gateway.counters.TimeHistogram;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.PageBuilder;
import dev.sluice.tls.ClientPreference;
import dev.sluice.tls.HandshakeKind;
import dev.sluice.tls.record.CryptoMeter.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** What handshakes with clients came to, and what became of connections behind them. */
final class HandshakeMetrics implements GatewayMetrics.Part {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String DIRECT = "direct";

    private final List<LoopCounters> loops;
    private final GatewayStatistics statistics;

    HandshakeMetrics(List<LoopCounters> loops, GatewayStatistics statistics) {
        this.loops = List.copyOf(loops);
        this.statistics = statistics;
    }

    @Override
    public void collect(PageBuilder page) {
        rows(page, Metric.TLS_HANDSHAKES, LoopCounters::handshakes);
        rows(page, Metric.TLS_SERVER_NAMES, LoopCounters::names);
        failures(page);
        rows(page, Metric.TLS_RESUMPTION_MISSES, LoopCounters::misses);
        durations(page);
        preferences(page);
        page.add(Metric.TLS_HANDSHAKE_LIBRARY, statistics.get(Counter.HANDSHAKE_MICROS) / MICROS_PER_SECOND);
        earlyData(page);
        engines(page);
        processor(page);
    }

    private void rows(PageBuilder page, Metric metric, Function<LoopCounters, CounterTable> table) {
        CounterTable.sum(loops.stream().map(table).toList())
                .forEach((labels, counts) -> page.add(metric, new MetricSample(labels, (double) counts[0], null)));
    }

    private void failures(PageBuilder page) {
        Map<List<String>, Long> sum = new HashMap<>();
        loops.forEach(loop -> loop.failures().forEach((labels, count) -> sum.merge(labels, count, Long::sum)));
        sum.forEach((labels, count) ->
                page.add(Metric.TLS_HANDSHAKE_FAILURES, new MetricSample(labels, (double) count, null)));
    }

    private void durations(PageBuilder page) {
        for (HandshakeKind kind : HandshakeKind.values()) {
            List<TimeHistogram> ofLoops =
                    loops.stream().map(loop -> loop.duration(kind)).toList();
            page.add(Metric.TLS_HANDSHAKE_DURATION, MetricSample.of(TimeHistogram.sum(ofLoops), kind.label()));
        }
    }

    private void preferences(PageBuilder page) {
        for (ClientPreference preference : ClientPreference.values()) {
            long count = loops.stream().mapToLong(loop -> loop.get(preference)).sum();
            page.add(Metric.TLS_CLIENT_PREFERENCE, count, preference.label());
        }
    }

    private void processor(PageBuilder page) {
        for (Phase phase : Phase.values()) {
            long nanos = loops.stream().mapToLong(loop -> loop.nanos(phase)).sum();
            page.add(
                    Metric.TLS_CRYPTO_CPU,
                    nanos / NANOS_PER_SECOND,
                    phase.name().toLowerCase(Locale.ROOT));
        }
    }

    private void earlyData(PageBuilder page) {
        // In this order: of what is counted meanwhile, none may be subtracted that was not added.
        long forwarded = statistics.get(Counter.EARLY_DATA_FORWARDED);
        long accepted = statistics.get(Counter.EARLY_DATA_ACCEPTED);
        page.add(Metric.TLS_EARLY_DATA, accepted, "accepted");
        page.add(Metric.TLS_EARLY_DATA, forwarded, "forwarded");
        statistics
                .earlyDataRefused()
                .forEach((reason, count) -> page.add(Metric.TLS_EARLY_DATA, count, "refused_" + reason));
    }

    private void engines(PageBuilder page) {
        statistics.records().forEach((outcome, count) -> {
            boolean direct = outcome.equals(DIRECT);
            page.add(Metric.TLS_ENGINE, count, direct ? DIRECT : "memory", direct ? "complete" : outcome);
        });
    }
}
