package dev.sluice.config.monitoring;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The alerts on the gateway's own metrics.
 *
 * @param window the time over which events are counted
 * @param hold the time beyond the threshold before an alert fires
 * @param clear the time clearly within the threshold before an alert clears
 * @param minimumHandshakes the handshakes in a window below which their ratios are not evaluated
 * @param thresholds the thresholds of the enabled alerts, in seconds for durations
 * @param command the program and arguments to run when an alert fires or clears; empty: none
 */
public record AlertConfig(
        Duration window,
        Duration hold,
        Duration clear,
        int minimumHandshakes,
        Map<AlertName, Double> thresholds,
        List<String> command) {
    /** All alerts, over a minute. */
    public static final AlertConfig DEFAULT = new AlertConfig(
            Duration.ofMinutes(1), Duration.ofSeconds(30), Duration.ofMinutes(1), 100, defaultThresholds(), List.of());

    /** Copies the collections. */
    public AlertConfig {
        EnumMap<AlertName, Double> copy = new EnumMap<>(AlertName.class);
        copy.putAll(thresholds);
        thresholds = Collections.unmodifiableMap(copy);
        command = List.copyOf(command);
    }

    /** Returns a copy with another threshold. */
    public AlertConfig with(AlertName alert, double threshold) {
        Map<AlertName, Double> changed = new EnumMap<>(AlertName.class);
        changed.putAll(thresholds);
        changed.put(alert, threshold);
        return new AlertConfig(window, hold, clear, minimumHandshakes, changed, command);
    }

    private static Map<AlertName, Double> defaultThresholds() {
        Map<AlertName, Double> thresholds = new EnumMap<>(AlertName.class);
        for (AlertName alert : AlertName.values()) {
            thresholds.put(alert, alert.defaultThreshold());
        }
        return thresholds;
    }
}
