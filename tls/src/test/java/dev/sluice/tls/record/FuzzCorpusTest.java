package dev.sluice.tls.record;

import dev.sluice.testkit.FuzzCorpusTests;
import dev.sluice.testkit.FuzzTarget;
import dev.sluice.tls.context.ClientHelloPeekFuzzer;
import dev.sluice.tls.lean.LeanHelloFuzzer;
import java.nio.file.Path;
import java.util.List;

/** A run of the fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class FuzzCorpusTest implements FuzzCorpusTests {
    private static final Path HELLOS = Path.of("src", "test", "fuzz", "hello");

    @Override
    public List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("record", RecordFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("post_handshake", PostHandshakeFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("key_log", KeyLogFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("hello", LeanHelloFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("hello_peek", ClientHelloPeekFuzzer::fuzzerTestOneInput)
                        .withCorpus(HELLOS));
    }
}
