package dev.sluice.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SoakBenchmarkTest {
    /** MiB: starting from directories of classes takes more than starting from jars. */
    private static final int HEAP = 512;

    private static final long MIB = 1024 * 1024;

    @Test
    void whatIsNotAskedForIsNotCarried() {
        SoakBenchmark.Options options = new SoakBenchmark.Options(0, 5, 0, 64, "auto", Optional.empty());
        assertThat(options.phases()).containsExactly(SoakPhase.messages(5));
    }

    @Test
    void residentMemoryThatGrowsIsAFault() {
        SoakPhase phase = SoakPhase.connections(1_000);
        Memory first = new Memory(100 * MIB, 0, 0);
        assertThat(SoakVerdict.judge(phase, first, new Memory(110 * MIB, 0, 0))).isEmpty();
        assertThat(SoakVerdict.judge(phase, first, new Memory(120 * MIB, 0, 0)))
                .hasValueSatisfying(fault -> assertThat(fault).contains("connections", "20.0 MiB", "allowed: 16.0"));
    }

    @Test
    void heapForDataIsAFaultAndHeapForConnectionsIsNot() {
        Memory first = new Memory(100 * MIB, 0, 1_000);
        Memory last = new Memory(100 * MIB, 0, 8 * MIB);
        assertThat(SoakVerdict.judge(SoakPhase.messages(1_000), first, last)).isPresent();
        assertThat(SoakVerdict.judge(SoakPhase.download(1_000), first, last)).isPresent();
        assertThat(SoakVerdict.judge(SoakPhase.connections(1_000), first, last)).isEmpty();
    }

    @Test
    void aGatewayThatNeverCollectsCarriesEverything() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            new SoakBenchmark(new SoakBenchmark.Options(16_000_000, 2_000, 64, HEAP, "auto", Optional.empty()), out)
                    .run();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("UseEpsilonGC")
                .containsPattern("bulk down +8,000,000 bytes")
                .containsPattern("bulk up +8,000,000 bytes")
                .containsPattern("messages +2,000 messages")
                .containsPattern("connections +64 connections");
    }
}
