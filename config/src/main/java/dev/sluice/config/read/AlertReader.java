package dev.sluice.config.read;

import dev.sluice.config.key.AlertKeys;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.monitoring.AlertName;
import dev.sluice.config.yaml.Value;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader of {@code alerts}: on, off, or a section in which each alert has a threshold, or is off. */
final class AlertReader {
    /** A key is overdue when it has sealed for as many rotations. */
    private static final int ROTATIONS = 2;

    private final Path configDirectory;
    private final Duration keyAge;

    /**
     * Creates a reader.
     *
     * @param configDirectory the start of relative paths
     * @param tickets the rules whose rotation decides when a ticket key is too old; null: none
     */
    AlertReader(Path configDirectory, @Nullable TicketConfig tickets) {
        this.configDirectory = configDirectory;
        this.keyAge =
                (tickets == null ? TicketConfig.DEFAULT : tickets).rotate().multipliedBy(ROTATIONS);
    }

    /** Reads the alerts; null: none. */
    @Nullable
    AlertConfig read(Value value) {
        AlertConfig fallback = AlertConfig.DEFAULT.with(AlertName.TICKET_KEY_AGE, keyAge.toMillis() / 1e3);
        if (!value.isSection()) {
            return value.onOff(true) ? fallback : null;
        }
        Section section = Section.of(value, AlertKeys.SECTION);
        if (section == null) {
            return fallback;
        }
        return new AlertConfig(
                section.get(AlertKeys.WINDOW),
                section.get(AlertKeys.HOLD),
                section.get(AlertKeys.CLEAR),
                section.get(AlertKeys.MINIMUM_HANDSHAKES),
                thresholds(section),
                command(section.find(AlertKeys.COMMAND)));
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

    /** Returns an alert's threshold; NaN when the alert is off. */
    private double threshold(Section section, AlertName alert) {
        double fallback = alert == AlertName.TICKET_KEY_AGE ? keyAge.toMillis() / 1e3 : alert.defaultThreshold();
        return section.get(AlertKeys.threshold(alert), fallback);
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
            value.problem("command " + program + " is not executable; name an executable file, or one on PATH");
        } catch (InvalidPathException invalid) {
            value.problem("command \"" + text + "\" is not a path: " + invalid.getReason());
        }
        return null;
    }
}
