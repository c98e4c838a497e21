package dev.sluice.config.read;

import dev.sluice.config.json.JsonFuzzer;
import dev.sluice.testkit.FuzzTarget;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run of the configuration's fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class ConfigFuzzCorpusTest {
    private static List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("config", ConfigFuzzer::fuzzerTestOneInput).withMutations(150),
                FuzzTarget.of("json", JsonFuzzer::fuzzerTestOneInput).withMutations(800));
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
