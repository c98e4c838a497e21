package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Origin;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Commands of the harness, on synthetic results. */
class HarnessCommandsTest {
    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private String results(String name, long seed, double mean) {
        Path file = directory.resolve(name).resolve("echo.jsonl");
        ResultLog.begin(file, new Origin("echo", "./sluice bench echo", "abcdef012345", Instant.EPOCH));
        Random random = new Random(seed);
        List<Double> values = DoubleStream.generate(() -> mean * Math.exp(0.02 * random.nextGaussian()))
                .limit(11)
                .boxed()
                .toList();
        try (ResultLog log = ResultLog.to(file)) {
            log.row(new ResultRow(
                    "echo-1",
                    "What it costs",
                    Identity.of("Sluice", Role.SUBJECT),
                    Metric.cost("cost_micros", "µs"),
                    true,
                    Optional.empty(),
                    values,
                    new ResultRow.Noise(0, Optional.of(1.0))));
        }
        return file.getParent() == null ? name : file.getParent().toString();
    }

    @ParameterizedTest
    @EnumSource
    void aSuiteIsACommandThatTakesItsQuickArguments(Suite suite) {
        CommandLine line = Main.commandLine();

        assertThat(CommandLine.Model.CommandSpec.forAnnotatedObject(suite.command())
                        .name())
                .isEqualTo(suite.label());
        assertThat(line.parseArgs(suite.arguments(true).toArray(String[]::new)).hasSubcommand())
                .isTrue();
        assertThat(suite.minutes(true)).isLessThan(suite.minutes(false));
    }

    @Test
    void aQuickRunOfAllSuitesTakesLessThanFortyMinutes() {
        double minutes = 0;
        for (Suite suite : Suite.values()) {
            minutes += suite.minutes(true);
        }

        assertThat(minutes).isLessThan(40);
    }

    @Test
    void listsEachSuite() {
        assertThat(run("list")).isZero();
        for (Suite suite : Suite.values()) {
            assertThat(out.toString()).containsPattern("(?m)^" + suite.label() + " .*\\?");
        }
    }

    @Test
    void anUnknownSuiteIsRejected() {
        assertThat(run("run", "eco")).isEqualTo(2);
        assertThat(err.toString()).contains("no suite has the name eco; see ./sluice bench list");
    }

    @Test
    void theExitCodeOfAComparisonTellsARegression() {
        String before = results("a", 1, 10);

        assertThat(run("compare", before, results("b", 2, 10))).isZero();
        assertThat(run("compare", before, results("c", 3, 11))).isEqualTo(1);
        assertThat(run("compare", results("c", 3, 11), before)).isZero();
        assertThat(run("compare", before, directory.resolve("absent").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no such file or directory");
    }

    @Test
    void writesThePageBesideTheResults() throws IOException {
        String run = results("a", 1, 10);

        assertThat(run("report", run)).isZero();
        Path page = Path.of(out.toString().strip());
        assertThat(page.normalize()).isEqualTo(Path.of(run, "report.html"));
        assertThat(Files.readString(page)).contains("What it costs", "./sluice bench echo");
    }

    @Test
    void publishesARunAndGeneratesThePages() throws IOException {
        Path page = Files.createDirectories(directory.resolve("docs")).resolve("echo.md");
        Files.writeString(page, "<!-- results: echo -->\n<!-- end -->\n");
        String run = results("a", 1, 10);

        assertThat(run("publish", "--root", directory.toString(), run)).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        directory.resolve("bench/results/published/echo.jsonl").toString(), page.toString());
        assertThat(page).content().contains("What it costs", "`abcdef012345`");
    }

    @Test
    void theCommandThatRepeatsARunLacksThePlaceOfItsResults() {
        assertThat(ResultsOption.text(List.of("echo", "--json", "x.jsonl", "--quick", "--json=y", "--sizes", "1,2")))
                .isEqualTo("./sluice bench echo --quick --sizes 1,2");
        assertThat(ResultsOption.text(List.of("record", "--openssl", "/a b")))
                .isEqualTo("./sluice bench record --openssl '/a b'");
    }

    /** A run that cannot start still names its command, as picocli parsed it. */
    @Test
    void theOriginHasTheCommandAndTheSuite() throws IOException {
        Path file = directory.resolve("plan.jsonl");

        assertThat(run("plan", "--quick", "--from", directory.resolve("absent").toString(), "--json", file.toString()))
                .isEqualTo(2);
        assertThat(Files.readString(file))
                .contains("\"suite\":\"plan\"", "\"command\":\"./sluice bench plan --quick --from ")
                .doesNotContain("--json");
    }
}
