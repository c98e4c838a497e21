package dev.sluice.bench.harness;

import dev.sluice.config.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * A log of results as JSON lines, written immediately, so that an aborted run keeps its results. Every line has {@code
 * type}:
 *
 * <ul>
 *   <li>{@code run}, the first line: {@code schema} (1), {@code started} (ISO 8601, UTC), {@code facts} (texts about
 *       the machine and the programs);
 *   <li>{@code round}: {@code experiment}, {@code treatment}, {@code role}, {@code round} (from 0; warm-ups count too),
 *       {@code position} (place in the round's order, from 0), {@code warmup} (true: not in the medians), {@code
 *       foreign_cpu} (share of one core that processes outside the benchmark used meanwhile), {@code metrics} (numbers
 *       by metric key, the unit at the key's end);
 *   <li>{@code skipped}: {@code experiment} ({@code *}: all), {@code treatment}, {@code reason}: did not participate;
 *   <li>{@code failed}: {@code experiment}, {@code treatment}, {@code reason}: failed during the run.
 * </ul>
 */
public final class ResultLog implements AutoCloseable {
    /** The schema version of the lines; increased for incompatible changes. */
    public static final int SCHEMA = 1;

    private final Writer out;

    /** Creates a log to a writer, which the log owns. */
    ResultLog(Writer out) {
        this.out = out;
    }

    /** Creates a log to a file, replacing it. */
    public static ResultLog to(Path file) {
        try {
            return new ResultLog(Files.newBufferedWriter(file));
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

    /** Writes the first line. */
    public void run(Instant started, Map<String, String> facts) {
        write("run", json -> {
            json.writeNumberProperty("schema", SCHEMA);
            json.writeStringProperty("started", started.toString());
            json.writeObjectPropertyStart("facts");
            facts.forEach(json::writeStringProperty);
            json.writeEndObject();
        });
    }

    /** Writes one round of one treatment. */
    public void round(String experiment, Identity who, RoundFacts facts, Sample sample) {
        write("round", json -> {
            json.writeStringProperty("experiment", experiment);
            json.writeStringProperty("treatment", who.name());
            json.writeStringProperty("role", who.role().name().toLowerCase(Locale.ROOT));
            json.writeNumberProperty("round", facts.round());
            json.writeNumberProperty("position", facts.position());
            json.writeBooleanProperty("warmup", facts.warmup());
            number(json, "foreign_cpu", facts.foreignCpu());
            json.writeObjectPropertyStart("metrics");
            sample.values().forEach((metric, value) -> number(json, metric.key(), value));
            json.writeEndObject();
        });
    }

    /** Writes a number with nine significant digits; null if it is not finite, which JSON lacks. */
    private static void number(JsonGenerator json, String name, double value) {
        if (Double.isFinite(value)) {
            json.writeNumberProperty(name, Double.parseDouble(String.format(Locale.ROOT, "%.9g", value)));
        } else {
            json.writeNullProperty(name);
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
