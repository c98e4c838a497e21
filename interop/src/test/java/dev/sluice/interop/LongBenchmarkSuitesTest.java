package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.BenchRun;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The suites of {@code ./sluice bench} that take about a minute even with little work: not for each change. */
class LongBenchmarkSuitesTest {
    @TempDir
    private Path directory = Path.of("");

    static Stream<List<String>> suites() {
        return Stream.of(
                List.of("handshakes", "--quick", "--rounds", "1"),
                List.of("metrics", "--quick", "--rounds", "1"),
                List.of("soak", "--minutes", "1"),
                List.of("transfer", "--quick", "--rounds", "1", "--only", "CALLS"));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void aSuiteKeepsItsResults(List<String> arguments) throws IOException {
        ForeignProgram.required("openssl", "openssl");

        BenchRun.requireResults(arguments, directory.resolve("results.jsonl"));
    }

    /** The plan needs the figures of this machine. */
    @Test
    void thePlanIsComparedWithAGateway() throws IOException {
        Path figures = directory.resolve("cost.json");
        Path results = directory.resolve("plan.jsonl");
        Sluice.command("cost", "--quick", "--rounds", "1", "--save", figures.toString())
                .run()
                .expectSuccess();

        BenchRun.output(Stream.of(
                "plan", "--quick", "--rounds", "1", "--from", figures.toString(), "--json", results.toString()));

        assertThat(Files.readString(results)).contains("\"metric\":\"estimated_by_measured\"");
    }
}
