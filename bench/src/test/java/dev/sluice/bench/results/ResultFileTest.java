package dev.sluice.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Origin;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Sample;
import dev.sluice.config.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of results are read as they were written, and described as they are. */
class ResultFileTest {
    private static final Path PAGE = Path.of("../docs/benchmark-results.md");
    private static final Pattern DESCRIBED = Pattern.compile("^\\| `(\\w+)` \\| `(\\w+)` \\|", Pattern.MULTILINE);
    private static final Origin ORIGIN =
            new Origin("echo", "./sluice bench echo --quick", "0123456789ab", Instant.parse("2026-01-02T03:04:05Z"));
    private static final ResultRow ROW = new ResultRow(
            "echo-1",
            "What \"it\" costs: µs",
            Identity.controlOf("nginx"),
            Metric.cost("cost_micros", "CPU µs").withRatio(),
            true,
            Optional.of("nginx"),
            List.of(1.5, 2.0, 1e-9, 12_345_678.0, 0.0),
            new ResultRow.Noise(0.25, Optional.of(1.01)));

    @TempDir
    private Path directory = Path.of("");

    private Path write() {
        Path file = directory.resolve("run").resolve("echo.jsonl");
        ResultLog.begin(file, ORIGIN);
        try (ResultLog log = ResultLog.to(file)) {
            log.run(Instant.EPOCH, Map.of("CPU", "one: \"fast\""));
            log.round("echo-1", ROW.who(), new ResultLog.RoundFacts(0, 0, true, 0), Sample.of(ROW.metric(), 1));
            log.skipped("*", "hitch", "not installed");
            log.row(ROW);
            log.row(new ResultRow(
                    "echo-1",
                    "Title",
                    Runs.OURS,
                    Runs.RATE,
                    false,
                    Optional.empty(),
                    List.of(3.0),
                    new ResultRow.Noise(0, Optional.empty())));
            log.verdict(List.of("a leak"));
        }
        return file;
    }

    @Test
    void whatWasWrittenIsRead() {
        ResultFile read = ResultFile.read(write());

        assertThat(read.origin()).isEqualTo(ORIGIN);
        assertThat(read.facts()).isEqualTo(Map.of("CPU", "one: \"fast\""));
        assertThat(read.rows()).hasSize(2).first().isEqualTo(ROW);
        assertThat(read.rows().getLast().noise().control()).isEmpty();
        assertThat(read.absent()).containsExactly("hitch: not installed");
        assertThat(read.verdict()).contains(new ResultFile.Verdict(List.of("a leak")));
    }

    @Test
    void aNewRunReplacesTheFile() throws IOException {
        Path file = write();
        ResultLog.begin(file, ORIGIN);

        assertThat(Files.readAllLines(file)).hasSize(1);
        assertThat(ResultFile.read(file).hasResults()).isFalse();
    }

    @Test
    void theNewestResultsOfASuiteAreFound() {
        write();
        Path newer = directory.resolve("second").resolve("echo.jsonl");
        ResultLog.begin(newer, new Origin("echo", "again", "abc", ORIGIN.date().plusSeconds(1)));
        try (ResultLog log = ResultLog.to(newer)) {
            log.row(ROW);
        }
        Path aborted = directory.resolve("third").resolve("echo.jsonl");
        ResultLog.begin(
                aborted, new Origin("echo", "aborted", "abc", ORIGIN.date().plusSeconds(2)));

        assertThat(ResultDirectory.newest(directory).get("echo"))
                .extracting(file -> file.origin().command())
                .isEqualTo("again");
    }

    @Test
    void aFileWithTheSuitesNameAndMoreIsASetOfItsOwn() throws IOException {
        Path first = write();
        Files.copy(first, first.resolveSibling("echo-newest.jsonl"));

        assertThat(ResultDirectory.newest(directory)).containsOnlyKeys("echo", "echo-newest");
    }

    @Test
    void otherFilesAreRejected() throws IOException {
        assertRejected("{\"type\":\"run\",\"facts\":{}}", "its first line must have the type origin");
        assertRejected("{\"type\":\"unheard\"}", "unknown type of line, type=unheard");
        assertRejected("{\"type\":\"row\"}", "lacks the member role, a text");
        assertRejected("[1]", "not a JSON object");
        assertRejected("{", "no JSON");
        assertThatThrownBy(() -> ResultDirectory.newest(directory.resolve("absent")))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("no such file or directory");
    }

    private void assertRejected(String line, String reason) throws IOException {
        Path file = Files.writeString(directory.resolve("other.jsonl"), line + "\n");

        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("other.jsonl")
                .hasMessageContaining(reason);
    }

    /** Compares the members of each type of line with the table of the page. */
    @Test
    void thePageDescribesEachMember() throws IOException {
        Map<String, TreeSet<String>> written = new TreeMap<>();
        for (String line : Files.readAllLines(write())) {
            if (JsonReader.read(line) instanceof Map<?, ?> members) {
                TreeSet<String> names =
                        written.computeIfAbsent(String.valueOf(members.get("type")), type -> new TreeSet<>());
                members.keySet().forEach(name -> names.add(String.valueOf(name)));
                names.remove("type");
            }
        }
        Map<String, TreeSet<String>> described = new TreeMap<>();
        Matcher rows = DESCRIBED.matcher(Files.readString(PAGE));
        while (rows.find()) {
            described.computeIfAbsent(rows.group(1), type -> new TreeSet<>()).add(rows.group(2));
        }
        assertThat(described.remove("failed")).isEqualTo(described.get("skipped"));

        assertThat(described).isEqualTo(written);
    }
}
