package dev.sluice.gateway.collect;

import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.accesslog.AccessLogCounters;
import dev.sluice.gateway.admission.Admission;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.backend.ServerMode;
import dev.sluice.gateway.backend.ServerStatus;
import dev.sluice.gateway.earlydata.EarlyDataPolicies;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.tls.engine.Detach;
import dev.sluice.tls.lean.FallbackReason;
import dev.sluice.tls.record.CryptoMeter.Phase;
import java.util.List;
import java.util.Locale;

/** The collector of metrics of connections and servers that loops do not count, or not alone. */
public final class ConnectionMetrics implements MetricCollector {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<LoopCounters> loops;
    private final Admission admission;
    private final EarlyDataPolicies earlyData;
    private final Backends backends;
    private final AccessLogCounters accessLog;

    public ConnectionMetrics(
            List<LoopCounters> loops,
            Admission admission,
            EarlyDataPolicies earlyData,
            Backends backends,
            AccessLogCounters accessLog) {
        this.loops = List.copyOf(loops);
        this.admission = admission;
        this.earlyData = earlyData;
        this.backends = backends;
        this.accessLog = accessLog;
    }

    @Override
    public void collect(MetricSnapshot.Builder snapshot) {
        snapshot.add(Metric.CONNECTIONS, open());
        earlyData.refused().forEach((reason, count) -> snapshot.add(Metric.TLS_EARLY_DATA, count, "refused_" + reason));
        for (Detach outcome : Detach.values()) {
            engine(snapshot, outcome);
        }
        lean(snapshot);
        for (Phase phase : Phase.values()) {
            long nanos = loops.stream().mapToLong(loop -> loop.nanos(phase)).sum();
            snapshot.add(Metric.TLS_CRYPTO_CPU, nanos / NANOS_PER_SECOND, lowerCase(phase));
        }
        snapshot.add(Metric.ADMISSION_IN_FLIGHT, admission.handshakesInFlight());
        snapshot.add(Metric.ADMISSION_CONNECTIONS_MAX, admission.connectionsMax());
        for (ServerStatus status : backends.statuses()) {
            server(snapshot, status);
        }
        backends.nameCounts().forEach((backend, counts) -> {
            snapshot.add(Metric.BACKEND_NAME_LOOKUPS, counts.lookups(), backend);
            snapshot.add(Metric.BACKEND_NAME_LOOKUP_FAILURES, counts.failures(), backend);
        });
        backends.namesFailing().forEach((backend, names) -> snapshot.add(Metric.BACKEND_NAMES_FAILING, names, backend));
        snapshot.add(Metric.ACCESS_LOG_DROPPED, accessLog.dropped());
    }

    private static void server(MetricSnapshot.Builder snapshot, ServerStatus status) {
        String backend = status.backend();
        String server = status.server();
        if (status.mode() != ServerMode.DISABLED) {
            snapshot.add(Metric.BACKEND_UP, status.health() == ServerStatus.Health.UP ? 1 : 0, backend, server);
        }
        for (ServerMode mode : ServerMode.values()) {
            snapshot.add(Metric.BACKEND_MODE, status.mode() == mode ? 1 : 0, backend, server, mode.word());
        }
        ServerConfig config = status.config();
        snapshot.add(Metric.BACKEND_WEIGHT, config.weight(), backend, server, lowerCase(config.role()));
        snapshot.add(Metric.BACKEND_CONNECTIONS, status.connections(), backend, server);
    }

    /** Reads the ends first: a connection that opens and ends meanwhile must not count below zero. */
    private long open() {
        long ended = loops.stream()
                .mapToLong(loop -> loop.get(Metric.CONNECTION_ENDS))
                .sum();
        return loops.stream()
                        .mapToLong(loop -> loop.get(Metric.CONNECTIONS_ACCEPTED))
                        .sum()
                - ended;
    }

    private void engine(MetricSnapshot.Builder snapshot, Detach outcome) {
        long count = loops.stream().mapToLong(loop -> loop.get(outcome)).sum();
        if (outcome == Detach.DIRECT) {
            snapshot.add(Metric.TLS_ENGINE, count, "direct", "complete");
        } else if (count > 0) {
            snapshot.add(Metric.TLS_ENGINE, count, "memory", lowerCase(outcome));
        }
    }

    private void lean(MetricSnapshot.Builder snapshot) {
        long answered = loops.stream().mapToLong(LoopCounters::leanFlights).sum();
        snapshot.add(Metric.TLS_LEAN, answered, "lean", "answered");
        for (FallbackReason reason : FallbackReason.values()) {
            long count = loops.stream().mapToLong(loop -> loop.get(reason)).sum();
            if (count > 0) {
                snapshot.add(Metric.TLS_LEAN, count, "libssl", reason.label());
            }
        }
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
