package dev.sluice.tls.record;

import dev.sluice.testkit.FuzzTarget;
import dev.sluice.tls.context.ClientHelloPeekFuzzer;
import dev.sluice.tls.lean.LeanHelloFuzzer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run of the fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class FuzzCorpusTest {
    private static final Path HELLOS = Path.of("src", "test", "fuzz", "hello");

    private static List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("record", RecordFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("post_handshake", PostHandshakeFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("key_log", KeyLogFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("hello", LeanHelloFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("hello_peek", ClientHelloPeekFuzzer::fuzzerTestOneInput)
                        .withCorpus(HELLOS));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void passesTheCorpus(FuzzTarget target) {
        target.runCorpus();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void passesMutationsOfTheCorpus(FuzzTarget target) {
        target.runMutations();
    }
}
