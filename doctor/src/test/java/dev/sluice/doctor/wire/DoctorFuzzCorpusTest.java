package dev.sluice.doctor.wire;

import dev.sluice.testkit.FuzzTarget;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run of the doctor's fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class DoctorFuzzCorpusTest {
    private static final Path RESPONSES = Path.of("..", "gateway", "src", "test", "fuzz", "ocsp_response");

    private static List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("server_answer", ServerAnswerFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("ocsp_status", OcspStatusFuzzer::fuzzerTestOneInput)
                        .withCorpus(RESPONSES));
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
