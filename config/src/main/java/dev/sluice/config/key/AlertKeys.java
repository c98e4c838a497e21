package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.AnyOrOff;
import dev.sluice.config.key.KeyType.NumberOrOff;
import dev.sluice.config.key.KeyType.Scalar;
import dev.sluice.config.key.KeyType.SecondsOrOff;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.monitoring.AlertName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The keys of {@code alerts}: those of all alerts, and the threshold of each. */
public final class AlertKeys {
    private static final int NUMBER_MAX = 1_000_000_000;

    public static final ValueKey<Duration> WINDOW = Key.of(
            "window",
            new Time(Duration.ofSeconds(1), Duration.ofHours(1)),
            AlertConfig.DEFAULT.window(),
            "Window over which events are counted.");
    public static final ValueKey<Duration> HOLD = Key.of(
            "hold",
            new Time(Duration.ZERO, Duration.ofDays(1)),
            AlertConfig.DEFAULT.hold(),
            "Time beyond the threshold before an alert fires.");
    public static final ValueKey<Duration> CLEAR = Key.of(
            "clear",
            new Time(Duration.ZERO, Duration.ofDays(1)),
            AlertConfig.DEFAULT.clear(),
            "Time clearly within the threshold before an alert clears.");
    public static final ValueKey<Integer> MINIMUM_HANDSHAKES = Key.of(
            "minimum-handshakes",
            new Whole(1, NUMBER_MAX),
            AlertConfig.DEFAULT.minimumHandshakes(),
            "Handshakes in a window below which their ratios are not evaluated.");
    public static final Key COMMAND = Key.optional(
            "command", new Texts("program and arguments"), "Command to run when an alert fires or clears.");

    private static final Map<AlertName, ValueKey<Double>> THRESHOLDS = thresholds();

    public static final SectionKeys SECTION = new SectionKeys(
            "alerts", "alerts", "Alerts", "Each alert has a threshold, or is `off`; see [Alerts](alerts.md).", keys());

    private AlertKeys() {}

    /** Returns the key of an alert's threshold: NaN where the alert is off. */
    public static ValueKey<Double> threshold(AlertName alert) {
        return Objects.requireNonNull(THRESHOLDS.get(alert));
    }

    private static Map<AlertName, ValueKey<Double>> thresholds() {
        Map<AlertName, ValueKey<Double>> keys = new EnumMap<>(AlertName.class);
        for (AlertName alert : AlertName.values()) {
            keys.put(alert, declared(alert));
        }
        return Collections.unmodifiableMap(keys);
    }

    private static ValueKey<Double> declared(AlertName alert) {
        return alert == AlertName.TICKET_KEY_AGE
                ? Key.of(alert.key(), type(alert), alert.defaultThreshold(), "twice `tickets.rotate`", alert.text())
                : Key.of(alert.key(), type(alert), alert.defaultThreshold(), alert.text());
    }

    private static Scalar<Double> type(AlertName alert) {
        return switch (alert.kind()) {
            case RATIO -> new NumberOrOff(1);
            case RATE, NUMBER -> new NumberOrOff(NUMBER_MAX);
            case DURATION -> new SecondsOrOff(Duration.ofSeconds(1), Duration.ofDays(3650));
            case SWITCH -> new AnyOrOff();
        };
    }

    private static List<Key> keys() {
        List<Key> keys = new ArrayList<>(List.of(WINDOW, HOLD, CLEAR, MINIMUM_HANDSHAKES, COMMAND));
        keys.addAll(THRESHOLDS.values());
        return keys;
    }
}
