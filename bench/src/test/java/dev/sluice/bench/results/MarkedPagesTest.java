package dev.sluice.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Origin;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of what marks in pages generate, from synthetic results. */
class MarkedPagesTest {
    private static final Identity PLAIN = Identity.of("plain", Role.FLOOR);

    @TempDir
    private Path root = Path.of("");

    private Path page = Path.of("");

    @BeforeEach
    void createDirectories() throws IOException {
        page = Files.createDirectories(root.resolve("docs/benchmarks")).resolve("echo.md");
    }

    private void publish(String commit, List<ResultRow> rows) {
        Path run = root.resolve("run/echo.jsonl");
        ResultLog.begin(run, new Origin("echo", "./sluice bench echo", commit, Instant.EPOCH));
        try (ResultLog log = ResultLog.to(run)) {
            log.run(Instant.EPOCH, Map.of("CPU", "one | two"));
            log.skipped("*", "hitch", "not installed");
            rows.forEach(log::row);
        }
        new PublishedResults(published()).publish(run);
    }

    private void publish() {
        Runs run = new Runs(1, 0, 5)
                .control(1.02)
                .add("echo-64", Runs.OURS, Runs.COST, 5)
                .add("echo-64", Runs.PEER, Runs.COST, 10)
                .add("echo-64", PLAIN, Runs.COST, 4)
                .add("echo-512", Runs.OURS, Runs.COST, 30)
                .add("echo-512", Runs.PEER, Runs.COST, 20);
        publish("0123456789ab", run.file().rows());
    }

    private Path published() {
        return root.resolve("bench/results/published");
    }

    private MarkedPages pages() {
        return new MarkedPages(root, new PublishedResults(published()), Set.of("echo", "storm"));
    }

    private String generated(String text) {
        return pages().generate(page, text);
    }

    @Test
    void aMarkOfASuiteGeneratesEverything() {
        publish();

        assertThat(generated("Before.\n\n<!-- results: echo -->\nold\n<!-- end -->\n\nAfter.\n"))
                .isEqualTo("""
                        Before.

                        <!-- results: echo -->

                        Measured on 1970-01-01 at commit `0123456789ab` on one | two by `./sluice bench echo`; [all
                        figures](../../bench/results/published/echo.jsonl).

                        <details><summary>Machine and programs</summary>

                        | what | here |
                        | --- | --- |
                        | CPU | one \\| two |

                        </details>

                        ### What it costs

                        Ahead of nginx, the best peer: Sluice has 0.50 × (0.50 to 0.50) its µs.

                        |  | µs | 95 % | × best peer | × plain |
                        | --- | ---: | ---: | ---: | ---: |
                        | Sluice | 5.00 | 5.00 … 5.00 | 0.50 | 1.25 |
                        | nginx | 10.0 | 10.0 … 10.0 | 1.00 | 2.50 |
                        | plain (floor) | 4.00 | 4.00 … 4.00 | 0.40 | 1.00 |

                        Medians of 5 rounds, with their bootstrap interval of 95 %; ratios are medians \
                        of ratios within a round. A control
                        differed from itself by 2.0 %. Other processes used 0.01 of a core.

                        ### What it costs

                        Behind nginx, the best peer: Sluice has 1.50 × (1.50 to 1.50) its µs.

                        |  | µs | 95 % | × best peer |
                        | --- | ---: | ---: | ---: |
                        | Sluice | 30.0 | 30.0 … 30.0 | 1.50 |
                        | nginx | 20.0 | 20.0 … 20.0 | 1.00 |

                        Medians of 5 rounds, with their bootstrap interval of 95 %; ratios are medians \
                        of ratios within a round. A control
                        differed from itself by 2.0 %. Other processes used 0.01 of a core.

                        Left out: hitch: not installed

                        <!-- end -->

                        After.
                        """);
    }

    @Test
    void aPatternOfSeveralExperimentsGeneratesOneTable() {
        publish();

        assertThat(generated("<!-- results: echo echo-* -->\n<!-- end -->"))
                .contains("| Sluice | 5.00 | 1.25 | 30.0 | 1.50 |\n", "| plain | 4.00 | 1.00 | – | – |\n");
        assertThat(generated("<!-- results: echo echo-512 -->\n<!-- end -->"))
                .contains("| Sluice | 30.0 | 30.0 … 30.0 | 1.50 |\n")
                .doesNotContain("5.00");
        assertThat(generated("<!-- results: echo latency -->\n<!-- end -->"))
                .contains("Not measured by the published run.");
    }

    @Test
    void generatedPagesStayAsTheyAre() throws IOException {
        publish();
        Files.writeString(page, "<!-- results: echo -->\n<!-- end -->\n\n<!-- results: storm -->\n<!-- end -->\n");

        assertThat(pages().write()).containsExactly(page);
        assertThat(pages().write()).isEmpty();
        assertThat(Files.readString(page))
                .contains("<!-- results: storm -->\nNo run of this suite is published yet.\n<!-- end -->");
    }

    @Test
    void aFigureIsQuotedWithItsAim() {
        publish();

        assertThat(generated("x <!-- figure: echo echo-64 \"Sluice\" cost_micros -->9<!-- end --> y"))
                .isEqualTo("x <!-- figure: echo echo-64 \"Sluice\" cost_micros -->5.00<!-- end --> y");
        assertThat(figure("\"Sluice\" cost_micros/peer")).isEqualTo("0.50");
        assertThat(figure("\"Sluice\" cost_micros/floor")).isEqualTo("1.25");
        assertThat(figure("\"nginx\" cost_micros/\"Sluice\"")).isEqualTo("2.00");
        assertThat(figure("\"Sluice\" cost_micros/peer at most 0.55")).isEqualTo("0.50 | yes");
        assertThat(figure("\"Sluice\" cost_micros at least 5.5")).isEqualTo("5.00 | no");
        assertThat(figure("\"Sluice\" cost_micros at most 5.05")).isEqualTo("5.00 | undecided");
        assertThat(figure("\"Sluice\" unheard_of at most 1")).isEqualTo("not measured | –");
    }

    private String figure(String what) {
        String mark = "<!-- figure: echo echo-64 " + what + " -->";
        String text = generated(mark + "<!-- end -->");
        assertThat(text).startsWith(mark).endsWith("<!-- end -->");
        return text.substring(mark.length(), text.length() - "<!-- end -->".length());
    }

    private void proof(String suite, String row, String rest) throws IOException {
        Path file = Files.createDirectories(published().resolve("proofs")).resolve(suite + "-openssl-3.5.json");
        Files.writeString(file, """
                {"schema": 1, "suite": "%s", "version": "1.2", "command": "tools/proofs/run %s", "commit":
                "0123456789ab", "date": "1970-01-01T00:00:00Z", "seconds": 125, "environment": {"OpenSSL": "3.5.8",
                "transport": "io_uring", "nginx": "1.22.1"}, "asks": "conversations", "rows": [%s], %s}
                """.formatted(suite, suite, row, rest));
    }

    private static String row(String subject, String role, String counts) {
        return "{\"subject\": \"" + subject + "\", \"role\": \"" + role + "\", " + counts + "}";
    }

    private void twoProofs() throws IOException {
        String gateway = row(
                "gateway", "subject", "\"passed\": 5000, \"failed\": 4, \"own\": 2, \"accepted\": 1, \"not_asked\": 9");
        String nginx = row(
                "nginx", "baseline", "\"passed\": 5001, \"failed\": 3, \"own\": 0, \"accepted\": 0, \"not_asked\": 9");
        proof("tlsfuzzer", gateway + "," + nginx, """
                "accepted": [{"what": "a | b", "reason": "RFC"}], "not_asked": {"-dtls": 9},
                "findings": ["x fails"]""");
        String vectors = row("vectors", "subject", """
                "passed": 7, "failed": 0, "own": 0, "accepted": 0, "not_asked": 1,
                "classes": ["OneTest", "TwoTest"], "material": "449 vectors\"""");
        proof("unit-tests", vectors, """
                "accepted": [], "not_asked": {}, "findings": []""");
    }

    @Test
    void aMarkOfProofsStatesThatThereAreNone() {
        assertThat(generated("<!-- proofs: suites -->\n<!-- end -->")).contains("No run of these is published yet.\n");
    }

    @Test
    void aMarkOfProofsGeneratesTheCountsBesideTheBaseline() throws IOException {
        twoProofs();

        assertThat(generated("<!-- proofs: suites -->\n<!-- end -->"))
                .contains("| gateway | 3.5.8 | 5,000 | 4 | 2 | 1 | **1** | 9 |\n")
                .contains("| nginx (baseline) | 3.5.8 | 5,001 | 3 | – | – | – | 9 |\n")
                .contains("Open:\n\n- tlsfuzzer: x fails\n")
                .doesNotContain("449");
        assertThat(generated("<!-- proofs: tests -->\n<!-- end -->"))
                .contains("| vectors | 449 vectors | 7 | 0 | 1 | 3.5.8 | `OneTest`, `TwoTest` |\n")
                .doesNotContain("nginx");
    }

    @Test
    void aMarkOfProofsGeneratesReasonsAndCommands() throws IOException {
        twoProofs();

        assertThat(generated("<!-- proofs: accepted -->\n<!-- end -->")).contains("| a \\| b | RFC |\n");
        assertThat(generated("<!-- proofs: not-asked -->\n<!-- end -->")).contains("| -dtls | 9 |\n");
        assertThat(generated("<!-- proofs: commands -->\n<!-- end -->")).contains("""
                - `tools/proofs/run tlsfuzzer`\\
                  tlsfuzzer 1.2; OpenSSL 3.5.8, io_uring, nginx 1.22.1\\
                  commit `0123456789ab`, 1970-01-01, 2 minutes:
                  [result](../../bench/results/published/proofs/tlsfuzzer-openssl-3.5.json)
                """);
        assertThatThrownBy(() -> generated("<!-- proofs: promises -->\n<!-- end -->"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("echo.md has a mark for the proofs promises");
    }

    @Test
    void aFigureStaysUntilItsResultsArePublished() {
        String text = "<!-- figure: storm x \"Sluice\" cost_micros -->9<!-- end -->";

        assertThat(generated(text)).isEqualTo(text);
    }

    @Test
    void aMarkOfAnUnknownSuiteIsRejected() {
        assertThatThrownBy(() -> generated("<!-- results: ecko -->\n<!-- end -->"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("echo.md has a mark for the results ecko, which no suite has");
    }

    @Test
    void resultsOfUncommittedSourcesAreNotPublished() {
        List<ResultRow> rows =
                new Runs(1, 0, 5).add("x", Runs.OURS, Runs.COST, 1).file().rows();

        assertThatThrownBy(() -> publish("0123456789ab+changes", rows))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("echo.jsonl was measured on sources that no commit has");
        assertThat(published()).doesNotExist();
    }
}
