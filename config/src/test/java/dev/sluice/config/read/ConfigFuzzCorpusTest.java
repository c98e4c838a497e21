package dev.sluice.config.read;

import dev.sluice.config.json.JsonFuzzer;
import dev.sluice.testkit.FuzzCorpusTests;
import dev.sluice.testkit.FuzzTarget;
import java.util.List;

/** A run of the configuration's fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class ConfigFuzzCorpusTest implements FuzzCorpusTests {
    @Override
    public List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("config", ConfigFuzzer::fuzzerTestOneInput).withMutations(150),
                FuzzTarget.of("json", JsonFuzzer::fuzzerTestOneInput).withMutations(800));
    }
}
