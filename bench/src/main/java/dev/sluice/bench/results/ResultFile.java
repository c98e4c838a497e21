package dev.sluice.bench.results;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Origin;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import dev.sluice.config.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of one suite, read from a file. Lines of single rounds are not read, since the rows hold their figures.
 *
 * @param origin suite, command, commit and date
 * @param facts machine and programs, by name
 * @param rows one for each metric of each treatment, in the file's order
 * @param absent treatments that did not participate or failed, each with its reason
 * @param verdict the verdict of a suite that checks something; empty for others
 */
public record ResultFile(
        Origin origin,
        Map<String, String> facts,
        List<ResultRow> rows,
        List<String> absent,
        Optional<Verdict> verdict) {
    /** Copies, preserving the order. */
    public ResultFile {
        facts = new LinkedHashMap<>(facts);
        rows = List.copyOf(rows);
        absent = List.copyOf(absent);
    }

    /**
     * The verdict of a suite that checks something.
     *
     * @param faults empty if everything held
     */
    public record Verdict(List<String> faults) {
        /** Copies. */
        public Verdict {
            faults = List.copyOf(faults);
        }

        /** Returns true if everything held. */
        public boolean holds() {
            return faults.isEmpty();
        }
    }

    /**
     * Reads a file.
     *
     * @throws BenchException when it is no file of results, or one of another schema
     */
    public static ResultFile read(Path file) {
        try {
            return new Lines(file).read(Files.readAllLines(file));
        } catch (IOException e) {
            throw new BenchException("cannot read " + file + ": " + e.getMessage() + "; name a file of results", e);
        } catch (IllegalArgumentException e) {
            throw new BenchException(file + " is not a file of results: " + e.getMessage(), e);
        }
    }

    /** Returns true if something was measured or checked. */
    public boolean hasResults() {
        return !rows.isEmpty() || verdict.isPresent();
    }

    /** Returns the rows of each experiment, by its name, in the file's order. */
    public Map<String, List<ResultRow>> experiments() {
        Map<String, List<ResultRow>> experiments = new LinkedHashMap<>();
        rows.forEach(row -> experiments
                .computeIfAbsent(row.experiment(), name -> new ArrayList<>())
                .add(row));
        return experiments;
    }

    /** The lines of a file, parsed in order. */
    private static final class Lines {
        private static final String ROUND = "{\"type\":\"round\"";

        private final Path file;
        private final Map<String, String> facts = new LinkedHashMap<>();
        private final List<ResultRow> rows = new ArrayList<>();
        private final List<String> absent = new ArrayList<>();
        private @Nullable Origin origin;
        private @Nullable Verdict verdict;

        Lines(Path file) {
            this.file = file;
        }

        ResultFile read(List<String> lines) {
            for (String line : lines) {
                if (!line.startsWith(ROUND) && !line.isBlank()) {
                    add(new Members(JsonReader.read(line)));
                }
            }
            if (origin == null) {
                throw new IllegalArgumentException("its first line must have the type origin; files before schema "
                        + ResultLog.SCHEMA + " cannot be read");
            }
            return new ResultFile(origin, facts, rows, absent, Optional.ofNullable(verdict));
        }

        private void add(Members line) {
            switch (line.text("type")) {
                case "origin" -> origin = origin(line);
                case "run" -> line.texts("facts").forEach((name, fact) -> facts.put(name, fact));
                case "row" -> rows.add(row(line));
                case "verdict" ->
                    verdict = new Verdict(
                            line.list("faults").stream().map(String::valueOf).toList());
                case "skipped", "failed" -> absent.add(line.text("treatment") + ": " + line.text("reason"));
                default -> throw new IllegalArgumentException("unknown type of line, type=" + line.text("type"));
            }
        }

        private Origin origin(Members line) {
            if (line.number("schema") != ResultLog.SCHEMA) {
                throw new BenchException(file + " has schema " + line.number("schema") + ", and schema "
                        + ResultLog.SCHEMA + " is required; measure again");
            }
            return new Origin(
                    line.text("suite"), line.text("command"), line.text("commit"), Instant.parse(line.text("date")));
        }

        private static ResultRow row(Members line) {
            Role role = Role.valueOf(line.text("role").toUpperCase(Locale.ROOT));
            Identity who = new Identity(
                    line.text("treatment"), role, line.optional("original").orElse(null));
            Metric metric = new Metric(
                    line.text("metric"),
                    line.text("unit"),
                    Metric.Better.valueOf(line.text("better").toUpperCase(Locale.ROOT)),
                    line.flag("has_ratio"));
            double control = line.number("control");
            return new ResultRow(
                    line.text("experiment"),
                    line.text("title"),
                    who,
                    metric,
                    line.flag("headline"),
                    line.optional("peer"),
                    line.list("values").stream().map(Members::asNumber).toList(),
                    new ResultRow.Noise(
                            line.number("foreign_cpu"),
                            Double.isNaN(control) ? Optional.empty() : Optional.of(control)));
        }
    }
}
