package dev.sluice.bench.architectures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.record.Effort;
import dev.sluice.bench.record.Row;
import dev.sluice.testkit.ForeignProgram;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchitecturesBenchmarkTest {
    private static final Effort LEAST = new Effort(10, 10, new Experiment.Plan(0, 1), 100, 0);
    private static final List<Row> ROWS = List.of(Row.EVP, Row.JDK_DIRECT, Row.MEMORY, Row.MEMORY_AGAIN);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void writesTablesAndResultsOfEachOperation() throws Exception {
        ForeignProgram.required("cc", "gcc libc6-dev");
        ForeignProgram.required("openssl", "openssl");
        Path json = directory.resolve("architectures.jsonl");
        ByteArrayOutputStream results = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(results, true, StandardCharsets.UTF_8);
                PrintStream progress = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)) {
            new ArchitecturesBenchmark(options(json), LEAST, ROWS, List.of(1024), Report.Style.MARKDOWN, out, progress)
                    .run();
        }
        String said = results.toString(StandardCharsets.UTF_8);
        assertThat(said)
                .doesNotContain("Left out", "Without")
                .contains("### Published and measured", "| seal 1 KiB: JDK SSLEngine, thousand records/s | 1,155 | ")
                .contains("| seal 128 B: JDK SSLEngine, thousand records/s | 1,776 | – | not measured |")
                .contains("TLS_AES_128_GCM_SHA256, open", "TLS_AES_256_GCM_SHA384, seal\n")
                .contains("| 1 KiB, Sluice MemoryEngine | ", "| 1 KiB, Sluice MemoryEngine again | ");
        assertThat(Files.readString(json))
                .contains("\"experiment\":\"record-seal-aes-256-gcm-1024\"", "\"metric\":\"collections\"")
                .containsPattern("\"Sluice MemoryEngine\",[^\n]*\"metric\":\"native_bytes\",[^\n]*\"values\":\\[[1-9]");
    }

    private ArchitecturesBenchmark.Options options(Path json) {
        String openssl = System.getProperty("sluice.openssl", "");
        assumeTrue(
                openssl.isEmpty() || Files.exists(Path.of(openssl, "libssl.so.3")), "other libraries use libssl.so.3");
        return new ArchitecturesBenchmark.Options(
                true,
                Optional.empty(),
                openssl.isEmpty() ? Optional.empty() : Optional.of(Path.of(openssl)),
                Optional.of(json));
    }
}
