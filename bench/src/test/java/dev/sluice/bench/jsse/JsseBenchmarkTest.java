package dev.sluice.bench.jsse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.harness.Experiment.Plan;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.record.Effort;
import dev.sluice.testkit.ForeignProgram;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsseBenchmarkTest {
    private static final Plan ONE_ROUND = new Plan(0, 1);
    private static final JsseEffort LEAST = new JsseEffort(
            new Effort(10, 10, ONE_ROUND, 100, 0), List.of(1024), ONE_ROUND, 500, 500, ONE_ROUND, 20, 200);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void measuresServersOfPagesAndOfConnections() throws Exception {
        ForeignProgram.required("openssl", "openssl");
        Path json = directory.resolve("jsse.jsonl");
        ByteArrayOutputStream results = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(results, true, StandardCharsets.UTF_8);
                PrintStream progress = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)) {
            new JsseBenchmark(options(json), LEAST, Report.Style.MARKDOWN, out, progress).run();
        }
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("### Netty over HTTPS", "| Netty, SunJSSE |", "| Netty tcnative (BoringSSL) |")
                .contains("### 20 connections", "| SSLSocket, SunJSSE |");
        assertThat(Files.readString(json))
                .containsPattern(measured("Netty, SunJSSE", "requests_per_cpu_second"))
                .containsPattern(measured("SSLSocket, SunJSSE", "heap_kib"));
    }

    /** Returns the pattern of a row whose first round has a value above 1. */
    private static String measured(String treatment, String metric) {
        return "\"" + treatment + "\",[^\n]*\"metric\":\"" + metric + "\",[^\n]*\"values\":\\[[1-9]";
    }

    private static JsseBenchmark.Options options(Path json) {
        String openssl = System.getProperty("sluice.openssl", "");
        return new JsseBenchmark.Options(
                true,
                Set.of(JssePart.HTTPS, JssePart.CONNECTIONS),
                Optional.empty(),
                Optional.empty(),
                openssl.isEmpty() ? Optional.empty() : Optional.of(Path.of(openssl)),
                Optional.of(json));
    }
}
