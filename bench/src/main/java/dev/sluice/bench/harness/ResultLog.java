package dev.sluice.bench.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/**
 * Results as JSON lines, written as they come, so that a run that is cut short keeps what it has. Every line has
 * {@code type}:
 *
 * <ul>
 *   <li>{@code run}, the first line: {@code schema} (1), {@code started} (ISO 8601, UTC), {@code facts} (texts about the
 *       machine and the programs);
 *   <li>{@code round}: {@code experiment}, {@code treatment}, {@code role}, {@code round} (from 0; warm-ups count too),
 *       {@code position} (place in the round's order, from 0), {@code warmup} (true: not in the medians),
 *       {@code foreign_cpu} (share of one core that processes outside the benchmark used meanwhile), {@code metrics}
 *       (numbers by metric key, the unit at the key's end);
 *   <li>{@code skipped}: {@code experiment} ({@code *}: all), {@code treatment}, {@code reason}: did not take part;
 *   <li>{@code failed}: {@code experiment}, {@code treatment}, {@code reason}: took part and broke.
 * </ul>
 */
public final class ResultLog implements AutoCloseable {
    /** Version of the lines' shape; goes up when a reader would misread them. */
    public static final int SCHEMA = 1;

    private final Writer out;

    /** Writes to a writer, which the log owns from now on. */
    public ResultLog(Writer out) {
        this.out = out;
    }

    /** Writes to a file, replacing it. */
    public static ResultLog to(Path file) {
        try {
            return new ResultLog(Files.newBufferedWriter(file));
        } catch (IOException e) {
            throw new BenchException(
                    "cannot write results to " + file + ": " + e.getMessage() + "; name a file in a writable directory",
                    e);
        }
    }

    /** Writes nowhere. */
    public static ResultLog none() {
        return new ResultLog(Writer.nullWriter());
    }

    /** The first line. */
    public void run(Instant started, Map<String, String> facts) {
        JsonObject all = new JsonObject();
        facts.forEach(all::put);
        write(new JsonObject()
                .put("type", "run")
                .put("schema", SCHEMA)
                .put("started", started.toString())
                .put("facts", all));
    }

    /** One round of one treatment. */
    public void round(String experiment, Identity who, RoundFacts facts, Sample sample) {
        JsonObject metrics = new JsonObject();
        sample.values().forEach((metric, value) -> metrics.put(metric.key(), value.doubleValue()));
        write(new JsonObject()
                .put("type", "round")
                .put("experiment", experiment)
                .put("treatment", who.name())
                .put("role", who.role().name().toLowerCase(java.util.Locale.ROOT))
                .put("round", facts.round())
                .put("position", facts.position())
                .put("warmup", facts.warmup())
                .put("foreign_cpu", facts.foreignCpu())
                .put("metrics", metrics));
    }

    /** A treatment that did not take part. */
    public void skipped(String experiment, String treatment, String reason) {
        absent("skipped", experiment, treatment, reason);
    }

    /** A treatment that broke. */
    public void failed(String experiment, String treatment, String reason) {
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
        write(new JsonObject()
                .put("type", type)
                .put("experiment", experiment)
                .put("treatment", treatment)
                .put("reason", reason));
    }

    private void write(JsonObject line) {
        try {
            out.write(line + "\n");
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Where a round stood.
     *
     * @param round from 0, warm-ups included
     * @param position place in the round's order, from 0
     * @param warmup whether it is thrown away
     * @param foreignCpu CPU seconds per second that others used meanwhile: 0 is a quiet machine
     */
    public record RoundFacts(int round, int position, boolean warmup, double foreignCpu) {}
}
