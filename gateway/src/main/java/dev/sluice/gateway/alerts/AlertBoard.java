package dev.sluice.gateway.alerts;

import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.monitoring.AlertName;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states of all alerts from one metric snapshot to the next. Passive. Confined to one thread at a time. */
final class AlertBoard {
    private final Map<AlertName, Watched> watched = new EnumMap<>(AlertName.class);
    private AlertConfig config;
    private CounterWindow window;

    /** One alert: its timer, and its last reported status. */
    private static final class Watched {
        private final AlertTimer timer = new AlertTimer();
        private @Nullable AlertStatus status;
    }

    AlertBoard(AlertConfig config) {
        this.config = config;
        this.window = new CounterWindow(config.window());
    }

    /** Applies another configuration. Alerts that stay enabled keep their state. */
    void configure(AlertConfig next) {
        if (!next.window().equals(config.window())) {
            window = new CounterWindow(next.window());
        }
        config = next;
        watched.keySet().retainAll(next.thresholds().keySet());
    }

    /**
     * Evaluates all alerts on a snapshot.
     *
     * @param nanos when it was read, by {@link System#nanoTime()}
     * @return the alerts that started or stopped firing
     */
    List<AlertStatus> update(MetricSnapshot snapshot, long nanos) {
        window.add(snapshot, nanos);
        Situation situation = new Situation(snapshot, window, config.minimumHandshakes());
        List<AlertStatus> changed = new ArrayList<>();
        config.thresholds().forEach((alert, threshold) -> {
            Watched entry = watched.computeIfAbsent(alert, _ -> new Watched());
            boolean fired = entry.timer.state() == AlertState.FIRING;
            AlertStatus status = update(entry, new Threshold(alert, threshold), situation, nanos);
            if (fired != (status.state() == AlertState.FIRING)) {
                changed.add(status);
            }
        });
        return changed;
    }

    private AlertStatus update(Watched entry, Threshold threshold, Situation situation, long nanos) {
        AlertName alert = threshold.alert();
        AlertRule rule = AlertRule.of(alert);
        Measured measured = rule.measure().apply(situation);
        boolean isNew = entry.timer.update(threshold.level(measured.value()), nanos, config.hold(), config.clear());
        AlertStatus before = entry.status;
        AlertStatus status = new AlertStatus(
                alert.key(),
                entry.timer.state(),
                measured.value(),
                threshold.value(),
                Wording.unit(alert.kind()),
                before == null || isNew ? situation.snapshot().time() : before.since(),
                Wording.sentence(alert, rule, measured, threshold.value()),
                rule.advice().apply(situation));
        entry.status = status;
        return status;
    }

    /** Returns the status of each alert in the order of {@link AlertName}; none before the first snapshot. */
    List<AlertStatus> statuses() {
        List<AlertStatus> statuses = new ArrayList<>();
        watched.values().forEach(entry -> {
            if (entry.status != null) {
                statuses.add(entry.status);
            }
        });
        return List.copyOf(statuses);
    }
}
