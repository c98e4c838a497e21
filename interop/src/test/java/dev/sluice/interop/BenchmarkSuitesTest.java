package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code ./sluice bench}: suites that need the packaged gateway run with little work, and keep their results. */
class BenchmarkSuitesTest {
    /** Suites take seconds; a busy machine makes minutes of them. */
    private static final Duration LIMIT = Waiting.LIMIT.multipliedBy(5);

    @TempDir
    private Path directory = Path.of("");

    static Stream<List<String>> suites() {
        return Stream.of(
                List.of("terminator", "--quick", "--rounds", "1", "--only", "startup"),
                List.of("handshakes", "--quick", "--rounds", "1"),
                List.of("certificates", "--count", "20", "--asked", "3"),
                List.of("metrics", "--quick", "--rounds", "1"),
                List.of("hostile", "--quick", "--connections", "20", "--kinds", "connect,garbage"),
                List.of("transfer", "--quick", "--rounds", "1", "--only", "CALLS"));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void aSuiteKeepsItsResults(List<String> arguments) throws IOException {
        ForeignProgram.required("openssl", "openssl");
        Path results = directory.resolve("results.jsonl");

        bench(Stream.concat(arguments.stream(), Stream.of("--json", results.toString())));

        assertThat(Files.readString(results))
                .startsWith("{\"type\":\"origin\",\"schema\":2,\"suite\":\"" + arguments.getFirst() + "\"")
                .contains("{\"type\":\"row\"")
                .doesNotContain("{\"type\":\"failed\"");
    }

    /** The plan needs the figures of this machine. */
    @Test
    void thePlanIsComparedWithAGateway() throws IOException {
        Path figures = directory.resolve("cost.json");
        Path results = directory.resolve("plan.jsonl");
        Sluice.command("cost", "--quick", "--rounds", "1", "--save", figures.toString())
                .run()
                .expectSuccess();

        bench(Stream.of(
                "plan", "--quick", "--rounds", "1", "--from", figures.toString(), "--json", results.toString()));

        assertThat(Files.readString(results)).contains("\"metric\":\"estimated_by_measured\"");
    }

    @Test
    void theExperimentIsRunBesideItsSample() {
        assertThat(bench(Stream.of("experiment", "--quick"))).contains("ECDHE-ECDSA-AES128-GCM-SHA256");
    }

    private static String bench(Stream<String> arguments) {
        return Sluice.command(Stream.concat(Stream.of("bench"), arguments).toArray(String[]::new))
                .within(LIMIT)
                .run()
                .expectSuccess()
                .output();
    }
}
