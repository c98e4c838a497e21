package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.BenchRun;
import dev.sluice.testkit.ForeignProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code ./sluice bench}: suites that need the packaged gateway run with little work, and keep their results. */
class BenchmarkSuitesTest {
    @TempDir
    private Path directory = Path.of("");

    static Stream<List<String>> suites() {
        return Stream.of(
                List.of("terminator", "--quick", "--rounds", "1", "--only", "startup"),
                List.of("certificates", "--count", "20", "--asked", "3"),
                List.of("hostile", "--quick", "--connections", "20", "--kinds", "connect,garbage"));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void aSuiteKeepsItsResults(List<String> arguments) throws IOException {
        ForeignProgram.required("openssl", "openssl");

        BenchRun.requireResults(arguments, directory.resolve("results.jsonl"));
    }

    @Test
    void theExperimentIsRunBesideItsSample() {
        assertThat(BenchRun.output(Stream.of("experiment", "--quick"))).contains("ECDHE-ECDSA-AES128-GCM-SHA256");
    }
}
