package dev.sluice.gateway.config;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the gateway watches for in its own figures.
 *
 * @param window over which events are counted
 * @param hold how long a value must be beyond its threshold before the alert fires
 * @param clear how long it must be clearly better before the alert clears
 * @param minimumHandshakes so many must there have been in a window before a share of them tells anything
 * @param thresholds of the alerts that are on, seconds for durations
 * @param command program and arguments to run when an alert fires or clears; empty: none
 */
public record AlertConfig(
        Duration window,
        Duration hold,
        Duration clear,
        int minimumHandshakes,
        Map<AlertName, Double> thresholds,
        List<String> command) {
    /** Unless configured: everything is watched, over a minute. */
    public static final AlertConfig DEFAULT = new AlertConfig(
            Duration.ofMinutes(1), Duration.ofSeconds(30), Duration.ofMinutes(1), 100, defaultThresholds(), List.of());

    /** Copies the collections. */
    public AlertConfig {
        EnumMap<AlertName, Double> copy = new EnumMap<>(AlertName.class);
        copy.putAll(thresholds);
        thresholds = Collections.unmodifiableMap(copy);
        command = List.copyOf(command);
    }

    /** The same with another threshold. */
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
