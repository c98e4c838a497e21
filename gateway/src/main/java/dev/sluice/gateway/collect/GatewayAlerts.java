package dev.sluice.gateway.collect;

import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.gateway.alerts.AlertLog;
import dev.sluice.gateway.alerts.AlertSource;
import dev.sluice.gateway.alerts.AlertState;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.alerts.AlertWatch;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The alerts that the active configuration enables; without any, no class of them is loaded. */
public final class GatewayAlerts implements AlertSource, MetricCollector, AutoCloseable {
    private final Supplier<MetricSnapshot> metrics;
    private final GatewayLog log;
    private volatile @Nullable AlertWatch watch;

    public GatewayAlerts(Supplier<MetricSnapshot> metrics, GatewayLog log) {
        this.metrics = metrics;
        this.log = log;
    }

    /** Applies another configuration; null disables all alerts. */
    public synchronized void follow(@Nullable AlertConfig config) {
        AlertWatch running = watch;
        if (config == null) {
            close();
        } else if (running == null) {
            watch = AlertWatch.start(config, metrics, new Lines(log));
        } else {
            running.configure(config);
        }
    }

    /** The alerts' lines in the gateway's log. */
    private record Lines(GatewayLog log) implements AlertLog {
        @Override
        public void info(String line) {
            log.info(line);
        }

        @Override
        public void warn(String line) {
            log.warn(line);
        }
    }

    @Override
    public List<AlertStatus> alerts() {
        AlertWatch running = watch;
        return running == null ? List.of() : running.alerts();
    }

    @Override
    public void collect(MetricSnapshot.Builder snapshot) {
        for (AlertStatus alert : alerts()) {
            snapshot.add(Metric.ALERT_FIRING, alert.state() == AlertState.FIRING ? 1 : 0, alert.name());
        }
    }

    /** Disables all alerts. */
    @Override
    public synchronized void close() {
        AlertWatch running = watch;
        watch = null;
        if (running != null) {
            running.close();
        }
    }
}
