package dev.sluice.gateway;

import dev.sluice.gateway.alerts.AlertLog;
import dev.sluice.gateway.alerts.AlertSource;
import dev.sluice.gateway.alerts.AlertState;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.alerts.AlertWatch;
import dev.sluice.gateway.config.AlertConfig;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSource;
import dev.sluice.gateway.metrics.PageBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Watches for what the configuration in force wants watched, or for nothing, in which case nothing of it is loaded. */
final class GatewayAlerts implements AlertSource, GatewayMetrics.Part, AutoCloseable {
    private final MetricSource metrics;
    private final GatewayLog log;
    private volatile @Nullable AlertWatch watch;

    GatewayAlerts(MetricSource metrics, GatewayLog log) {
        this.metrics = metrics;
        this.log = log;
    }

    /** Goes by another configuration from now on; null: watches for nothing. */
    synchronized void follow(@Nullable AlertConfig config) {
        AlertWatch running = watch;
        if (config == null) {
            close();
        } else if (running == null) {
            watch = AlertWatch.start(config, metrics, new Lines(log));
        } else {
            running.configure(config);
        }
    }

    /** What is told of alerts, among the gateway's lines. */
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
    public void collect(PageBuilder page) {
        for (AlertStatus alert : alerts()) {
            page.add(Metric.ALERT_FIRING, alert.state() == AlertState.FIRING ? 1 : 0, alert.name());
        }
    }

    /** Watches for nothing any more. */
    @Override
    public synchronized void close() {
        AlertWatch running = watch;
        watch = null;
        if (running != null) {
            running.close();
        }
    }
}
