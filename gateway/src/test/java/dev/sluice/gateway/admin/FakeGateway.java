package dev.sluice.gateway.admin;

import dev.sluice.gateway.alerts.AlertState;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.backend.BackendControl;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gateway whose state a test sets. */
final class FakeGateway implements Administered {
    volatile State state = State.SERVING;
    volatile boolean responds = true;
    volatile @Nullable String configuration = "listeners: []\n";
    volatile @Nullable String refusal;
    final AtomicInteger reloads = new AtomicInteger();
    volatile CountDownLatch reloadsMayEnd = new CountDownLatch(0);
    volatile double full;
    /** Without a backend, and so without a thread. */
    private final Backends backends = new Backends(GatewayLog.NONE);

    volatile double resumed;

    @Override
    public MetricSnapshot metrics() {
        return snapshot(Instant.now(), full, resumed);
    }

    /** A snapshot with some handshakes, the full ones of clients whose ticket key is unknown. */
    static MetricSnapshot snapshot(Instant time, double full, double resumed) {
        return snapshot(time, full, resumed, "unknown_key");
    }

    /** The same with another reason why no session was resumed. */
    static MetricSnapshot snapshot(Instant time, double full, double resumed, String miss) {
        return new MetricSnapshot.Builder()
                .add(Metric.TLS_HANDSHAKES, full, "full", "TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "ecdsa")
                .add(Metric.TLS_HANDSHAKES, resumed, "resumed", "TLSv1.2", "ECDHE", "X25519", "")
                .add(Metric.TLS_RESUMPTION_MISSES, full, miss)
                .add(Metric.TLS_RESUMPTION_MISSES, 0, "damaged")
                .add(Metric.TLS_HANDSHAKE_FAILURES, full / 2, "timeout", "peer")
                .add(Metric.CONNECTIONS, 7)
                .add(Metric.LOOP_TURNS, 1, "0")
                .add(Metric.LOOP_TURNS, 1, "1")
                .add(Metric.TLS_CRYPTO_CPU, full / 100, "asymmetric")
                .add(Metric.BACKEND_UP, 1, "web", "127.0.0.1:8080")
                .add(Metric.BACKEND_HANDSHAKES, 3, "web", "127.0.0.1:8080", "full")
                .info(Metric.BUILD, "0.1.0")
                .build(time);
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
    public BackendControl backends() {
        return new BackendControl(backends);
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
