package dev.sluice.bench.harness;

import dev.sluice.config.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * A log of results as JSON lines, written immediately, so that an aborted run keeps its results. Every line has {@code
 * type}; docs/benchmark-results.md describes the types and their members.
 */
public final class ResultLog implements AutoCloseable {
    /** The schema version of the lines; increased for incompatible changes. */
    public static final int SCHEMA = 2;

    private static final String HOME = System.getProperty("user.home");

    private final Writer out;

    /** Creates a log to a writer, which the log owns. */
    ResultLog(Writer out) {
        this.out = out;
    }

    /** Replaces a file by one that holds the origin of the results to come. */
    public static void begin(Path file, Origin origin) {
        try {
            Files.createDirectories(file.toAbsolutePath().resolveSibling("."));
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new BenchException("cannot replace " + file + ": " + e.getMessage() + "; use another file", e);
        }
        try (ResultLog log = to(file)) {
            log.origin(origin);
        }
    }

    /** Creates a log to a file, at whose end the lines are added. */
    public static ResultLog to(Path file) {
        try {
            return new ResultLog(Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new BenchException(
                    "cannot write results to " + file + ": " + e.getMessage() + "; use a file in a writable directory",
                    e);
        }
    }

    /** Creates a log that discards everything. */
    public static ResultLog none() {
        return new ResultLog(Writer.nullWriter());
    }

    /** Writes the origin of all lines that follow. */
    void origin(Origin origin) {
        write("origin", json -> {
            json.writeNumberProperty("schema", SCHEMA);
            json.writeStringProperty("suite", origin.suite());
            json.writeStringProperty("command", withoutHome(origin.command()));
            json.writeStringProperty("commit", origin.commit());
            json.writeStringProperty("date", origin.date().toString());
        });
    }

    /** Writes the conditions of the figures. */
    public void run(Instant started, Map<String, String> facts) {
        write("run", json -> {
            json.writeStringProperty("started", started.toString());
            json.writeObjectPropertyStart("facts");
            facts.forEach((name, fact) -> json.writeStringProperty(name, withoutHome(fact)));
            json.writeEndObject();
        });
    }

    /** Abbreviates the user's directory as a shell does, since results are published. */
    private static String withoutHome(String text) {
        return text.replace(HOME + "/", "~/");
    }

    /** Writes one round of one treatment. */
    public void round(String experiment, Identity who, RoundFacts facts, Sample sample) {
        write("round", json -> {
            json.writeStringProperty("experiment", experiment);
            json.writeStringProperty("treatment", who.name());
            json.writeStringProperty("role", lower(who.role()));
            json.writeNumberProperty("round", facts.round());
            json.writeNumberProperty("position", facts.position());
            json.writeBooleanProperty("warmup", facts.warmup());
            number(json, "foreign_cpu", facts.foreignCpu());
            json.writeObjectPropertyStart("metrics");
            sample.values().forEach((metric, value) -> number(json, metric.key(), value));
            json.writeEndObject();
        });
    }

    /** Writes the rows of an experiment that has ended. */
    public void result(ExperimentResult result) {
        ResultRow.of(result).forEach(this::row);
    }

    /** Writes one metric of one treatment. */
    public void row(ResultRow row) {
        write("row", json -> {
            json.writeStringProperty("experiment", row.experiment());
            json.writeStringProperty("title", row.title());
            json.writeStringProperty("treatment", row.who().name());
            json.writeStringProperty("role", lower(row.who().role()));
            Json.text(json, "original", row.who().original());
            json.writeStringProperty("metric", row.metric().key());
            json.writeStringProperty("unit", row.metric().title());
            json.writeStringProperty("better", lower(row.metric().better()));
            json.writeBooleanProperty("headline", row.headline());
            json.writeBooleanProperty("has_ratio", row.metric().hasRatio());
            Json.text(json, "peer", row.peer().orElse(null));
            json.writeArrayPropertyStart("values");
            row.values().forEach(value -> number(json, value));
            json.writeEndArray();
            number(json, "median", row.median());
            Interval interval = row.interval();
            number(json, "low", interval.low());
            number(json, "high", interval.high());
            number(json, "foreign_cpu", row.noise().foreignCpu());
            number(json, "control", row.noise().control().orElse(Double.NaN));
        });
    }

    /** Writes the verdict of a suite that checks something. */
    public void verdict(List<String> faults) {
        write("verdict", json -> {
            json.writeBooleanProperty("holds", faults.isEmpty());
            json.writeArrayPropertyStart("faults");
            faults.forEach(json::writeString);
            json.writeEndArray();
        });
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void number(JsonGenerator json, String name, double value) {
        json.writeName(name);
        number(json, value);
    }

    /** Writes a number with nine significant digits; null if it is not finite, which JSON lacks. */
    private static void number(JsonGenerator json, double value) {
        if (Double.isFinite(value)) {
            json.writeNumber(Double.parseDouble(String.format(Locale.ROOT, "%.9g", value)));
        } else {
            json.writeNull();
        }
    }

    /** Writes a treatment that did not participate. */
    public void skipped(String experiment, String treatment, String reason) {
        absent("skipped", experiment, treatment, reason);
    }

    /** Writes a treatment that failed. */
    void failed(String experiment, String treatment, String reason) {
        absent("failed", experiment, treatment, reason);
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void absent(String type, String experiment, String treatment, String reason) {
        write(type, json -> {
            json.writeStringProperty("experiment", experiment);
            json.writeStringProperty("treatment", treatment);
            json.writeStringProperty("reason", reason);
        });
    }

    private void write(String type, Consumer<JsonGenerator> members) {
        String line = Json.of(json -> {
            json.writeStartObject();
            json.writeStringProperty("type", type);
            members.accept(json);
            json.writeEndObject();
        });
        try {
            out.write(line + "\n");
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The circumstances of a round.
     *
     * @param round number from 0, including warm-ups
     * @param position place in the round's order, from 0
     * @param warmup true if it is discarded
     * @param foreignCpu CPU seconds per second used by other processes: 0 on a quiet machine
     */
    public record RoundFacts(int round, int position, boolean warmup, double foreignCpu) {}
}
