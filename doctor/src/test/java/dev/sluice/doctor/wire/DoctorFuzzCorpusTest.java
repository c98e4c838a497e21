package dev.sluice.doctor.wire;

import dev.sluice.testkit.FuzzCorpusTests;
import dev.sluice.testkit.FuzzTarget;
import java.nio.file.Path;
import java.util.List;

/** A run of the doctor's fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class DoctorFuzzCorpusTest implements FuzzCorpusTests {
    private static final Path RESPONSES = Path.of("..", "gateway", "src", "test", "fuzz", "ocsp_response");

    @Override
    public List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("server_answer", ServerAnswerFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("ocsp_status", OcspStatusFuzzer::fuzzerTestOneInput)
                        .withCorpus(RESPONSES));
    }
}
