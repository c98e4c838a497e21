package dev.sluice.gateway.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code alerts}: on, off, or a section in which each alert has a threshold, or is off. */
final class AlertReader {
    private static final List<String> KEYS = keys();
    private static final Duration WINDOW_MIN = Duration.ofSeconds(1);
    private static final Duration WINDOW_MAX = Duration.ofHours(1);
    private static final Duration HOLD_MAX = Duration.ofDays(1);
    private static final Duration AGE_MIN = Duration.ofSeconds(1);
    private static final Duration AGE_MAX = Duration.ofDays(3650);
    private static final int NUMBER_MAX = 1_000_000_000;
    /** A key is late when the next one should have taken over as long ago as it was to seal. */
    private static final int ROTATIONS = 2;

    private final Path configDirectory;
    private final Duration keyAge;

    /**
     * @param configDirectory where relative paths start
     * @param tickets whose rotation tells when a ticket key is too old; null: none
     */
    AlertReader(Path configDirectory, @Nullable TicketConfig tickets) {
        this.configDirectory = configDirectory;
        this.keyAge =
                (tickets == null ? TicketConfig.DEFAULT : tickets).rotate().multipliedBy(ROTATIONS);
    }

    private static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of("window", "hold", "clear", "minimum-handshakes", "command"));
        for (AlertName alert : AlertName.values()) {
            keys.add(alert.key());
        }
        return List.copyOf(keys);
    }

    /** What is watched for; null: nothing. */
    @Nullable
    AlertConfig read(Value value) {
        AlertConfig fallback = AlertConfig.DEFAULT.with(AlertName.TICKET_KEY_AGE, keyAge.toMillis() / 1e3);
        if (!value.isSection()) {
            return value.onOff(true) ? fallback : null;
        }
        Section section = value.section(KEYS);
        if (section == null) {
            return fallback;
        }
        return new AlertConfig(
                section.duration("window", WINDOW_MIN, WINDOW_MAX, fallback.window()),
                section.duration("hold", Duration.ZERO, HOLD_MAX, fallback.hold()),
                section.duration("clear", Duration.ZERO, HOLD_MAX, fallback.clear()),
                section.integer("minimum-handshakes", 1, NUMBER_MAX, fallback.minimumHandshakes()),
                thresholds(section),
                command(section.find("command")));
    }

    private Map<AlertName, Double> thresholds(Section section) {
        Map<AlertName, Double> thresholds = new EnumMap<>(AlertName.class);
        for (AlertName alert : AlertName.values()) {
            double threshold = threshold(section, alert);
            if (!Double.isNaN(threshold)) {
                thresholds.put(alert, threshold);
            }
        }
        return thresholds;
    }

    /** NaN when the alert is off. */
    private double threshold(Section section, AlertName alert) {
        double fallback = alert.defaultThreshold();
        return switch (alert.kind()) {
            case RATIO -> section.decimalOrOff(alert.key(), 1, fallback);
            case RATE, NUMBER -> section.decimalOrOff(alert.key(), NUMBER_MAX, fallback);
            case SWITCH -> section.onOff(alert.key(), true) ? fallback : Double.NaN;
            case DURATION -> {
                Duration age = alert == AlertName.TICKET_KEY_AGE ? keyAge : Duration.ofSeconds((long) fallback);
                Duration read = section.durationOrOff(alert.key(), AGE_MIN, AGE_MAX, age);
                yield read == null ? Double.NaN : read.toMillis() / 1e3;
            }
        };
    }

    private List<String> command(@Nullable Value value) {
        if (value == null) {
            return List.of();
        }
        List<String> words = new ArrayList<>(value.texts());
        if (!words.isEmpty() && words.getFirst().contains("/")) {
            Value first = value.items().getFirst();
            Path program = program(first, words.getFirst());
            if (program != null) {
                first.means(program.toString());
                words.set(0, program.toString());
            }
        }
        return words;
    }

    private @Nullable Path program(Value value, String text) {
        try {
            Path program = configDirectory.resolve(text).normalize();
            if (Files.isExecutable(program) && !Files.isDirectory(program)) {
                return program;
            }
            value.problem("command " + program
                    + " is no program that can be run; name an executable file, or one that is" + " found on PATH");
        } catch (InvalidPathException invalid) {
            value.problem("command \"" + text + "\" is no path: " + invalid.getReason());
        }
        return null;
    }
}
