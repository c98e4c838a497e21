package dev.sluice.gateway;

import dev.sluice.gateway.proxyprotocol.ProxyHeaderFuzzer;
import dev.sluice.testkit.FuzzTarget;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run of the gateway's fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class GatewayFuzzCorpusTest {
    private static List<FuzzTarget> targets() {
        return List.of(FuzzTarget.of("proxy_header", ProxyHeaderFuzzer::fuzzerTestOneInput));
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
