package dev.sluice.gateway;

import dev.sluice.gateway.admin.Administered;
import dev.sluice.gateway.alerts.AlertSource;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A gateway as its admin endpoint sees it. */
final class Administration implements Administered {
    /** How long an event loop may be busy with something else before it counts as one that does not respond. */
    private static final Duration RESPONSE_TIME = Duration.ofSeconds(5);

    private final Gateway gateway;
    private final MetricSource metrics;
    private final AlertSource alerts;
    private final Supplier<@Nullable ReloadRequest> reload;

    Administration(
            Gateway gateway, MetricSource metrics, AlertSource alerts, Supplier<@Nullable ReloadRequest> reload) {
        this.gateway = gateway;
        this.metrics = metrics;
        this.alerts = alerts;
        this.reload = reload;
    }

    @Override
    public MetricPage metrics() {
        return metrics.read();
    }

    @Override
    public List<AlertStatus> alerts() {
        return alerts.alerts();
    }

    @Override
    public State state() {
        if (gateway.isEnding()) {
            return State.DRAINING;
        }
        return gateway.addresses().isEmpty() ? State.STARTING : State.SERVING;
    }

    @Override
    public boolean responds() throws InterruptedException {
        return gateway.responds(RESPONSE_TIME);
    }

    @Override
    public @Nullable String configuration() throws RefusedException {
        ReloadRequest request = reload.get();
        try {
            return request == null ? null : request.effective();
        } catch (ReloadRequest.RefusedException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String reload() throws RefusedException {
        ReloadRequest request = reload.get();
        if (request == null) {
            throw new RefusedException("this gateway was not started with a configuration file");
        }
        try {
            return request.reload();
        } catch (ReloadRequest.RefusedException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
    }
}
