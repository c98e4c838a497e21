package dev.sluice.gateway.admin;

import dev.sluice.gateway.alerts.AlertState;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricFamily;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSample;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gateway of which a test says how it is. */
final class FakeGateway implements Administered {
    volatile State state = State.SERVING;
    volatile boolean responds = true;
    volatile @Nullable String configuration = "listeners: []\n";
    volatile @Nullable String refusal;
    final AtomicInteger reloads = new AtomicInteger();
    volatile CountDownLatch reloadsMayEnd = new CountDownLatch(0);
    volatile double full;
    volatile double resumed;

    @Override
    public MetricPage metrics() {
        return page(Instant.now(), full, resumed);
    }

    /** A page with so many handshakes, the full ones of clients whose tickets nobody knows the key of. */
    static MetricPage page(Instant time, double full, double resumed) {
        return page(time, full, resumed, "unknown_key");
    }

    /** The same with a reason why nothing was resumed. */
    static MetricPage page(Instant time, double full, double resumed, String miss) {
        return new MetricPage(
                time,
                List.of(
                        family(
                                Metric.TLS_HANDSHAKES,
                                MetricSample.of(full, "full", "TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "ecdsa"),
                                MetricSample.of(resumed, "resumed", "TLSv1.2", "ECDHE", "X25519", "")),
                        family(Metric.TLS_RESUMPTION_MISSES, MetricSample.of(full, miss)),
                        family(Metric.TLS_HANDSHAKE_FAILURES, MetricSample.of(full / 2, "timeout", "peer")),
                        family(Metric.CONNECTIONS, MetricSample.of(7)),
                        family(Metric.LOOP_TURNS, MetricSample.of(1, "0"), MetricSample.of(1, "1")),
                        family(Metric.TLS_CRYPTO_CPU, MetricSample.of(full / 100, "asymmetric")),
                        family(Metric.BACKEND_UP, MetricSample.of(1, "web", "127.0.0.1:8080")),
                        family(Metric.BACKEND_HANDSHAKES, MetricSample.of(3, "web", "127.0.0.1:8080", "full")),
                        family(Metric.BUILD, MetricSample.of(1, "0.1.0"))));
    }

    private static MetricFamily family(Metric metric, MetricSample... samples) {
        return new MetricFamily(metric.family(), metric.type(), metric.help(), metric.labels(), List.of(samples));
    }

    @Override
    public List<AlertStatus> alerts() {
        return List.of(new AlertStatus(
                "resumption-ratio",
                AlertState.FIRING,
                0.1,
                0.7,
                "ratio",
                Instant.EPOCH,
                "10 % of all handshakes resumed a session, below 70 %",
                List.of("Switch \"tickets\" on.")));
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public boolean responds() {
        return responds;
    }

    @Override
    public @Nullable String configuration() {
        return configuration;
    }

    @Override
    public String reload() throws RefusedException {
        String why = refusal;
        if (why != null) {
            throw new RefusedException(why);
        }
        reloads.incrementAndGet();
        try {
            reloadsMayEnd.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new RefusedException("stopped");
        }
        return "reloaded sluice.yaml\n";
    }
}
