package dev.sluice.gateway;

import dev.sluice.gateway.admin.Administered;
import dev.sluice.gateway.alerts.AlertSource;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.backend.BackendControl;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.reload.ReloadRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A gateway as its admin endpoint sees it. */
final class Administration implements Administered {
    /** The longest time an event loop may be busy with other work before it counts as unresponsive. */
    private static final Duration RESPONSE_TIME = Duration.ofSeconds(5);

    private final Gateway gateway;
    private final AlertSource alerts;
    private final Supplier<@Nullable ReloadRequest> reload;

    Administration(Gateway gateway, AlertSource alerts, Supplier<@Nullable ReloadRequest> reload) {
        this.gateway = gateway;
        this.alerts = alerts;
        this.reload = reload;
    }

    @Override
    public MetricSnapshot metrics() {
        return gateway.metrics();
    }

    @Override
    public List<AlertStatus> alerts() {
        return alerts.alerts();
    }

    @Override
    public BackendControl backends() {
        return gateway.control();
    }

    @Override
    public State state() {
        if (gateway.isEnding()) {
            return State.DRAINING;
        }
        if (gateway.addresses().isEmpty()) {
            return State.STARTING;
        }
        return gateway.isWarming() ? State.WARMING : State.SERVING;
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
