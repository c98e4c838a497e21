package dev.sluice.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SoakBenchmarkTest {
    /** MiB: starting from directories of classes needs more than starting from jars. */
    private static final int HEAP = 512;

    private static final long MIB = 1024 * 1024;

    @Test
    void omitsUnrequestedPhases() {
        SoakBenchmark.Options options = new SoakBenchmark.Options(0, 5, 0, 64, "auto", Optional.empty());
        assertThat(options.stages()).containsExactly(new SoakBenchmark.Stage(64, List.of(SoakPhase.messages(5))));
    }

    /** Checks that data uses the requested heap, whatever connections may need. */
    @Test
    void connectionsGetAGatewayWithEnoughHeap() {
        SoakBenchmark.Options options = new SoakBenchmark.Options(4, 0, 200_000, 64, "auto", Optional.empty());
        assertThat(options.stages())
                .containsExactly(
                        new SoakBenchmark.Stage(64, List.of(SoakPhase.download(2), SoakPhase.upload(2))),
                        new SoakBenchmark.Stage(64 + 782, List.of(SoakPhase.connections(200_000))));
    }

    @Test
    void growingResidentMemoryIsAFailure() {
        SoakPhase phase = SoakPhase.connections(1_000);
        assertThat(SoakVerdict.judge(phase, resident(100, 110))).isEmpty();
        assertThat(SoakVerdict.judge(phase, resident(100, 120)))
                .hasValueSatisfying(fault -> assertThat(fault).contains("connections", "20.0 MiB", "allowed: 16.0"));
    }

    /** Checks that memory held and released in between counts. */
    @Test
    void theLargestSampleCounts() {
        assertThat(resident(100, 120, 90).residentGrowth()).isEqualTo(20 * MIB);
        assertThat(resident(100, 90).residentGrowth()).isZero();
        assertThat(SoakVerdict.judge(SoakPhase.messages(3), resident(100, 120, 90)))
                .isPresent();
    }

    @Test
    void heapForDataIsAFailureAndHeapForConnectionsIsLimited() {
        MemorySeries much = heap(1_000, 1_000, 8 * MIB);
        assertThat(SoakVerdict.judge(SoakPhase.messages(1_000), much)).isPresent();
        assertThat(SoakVerdict.judge(SoakPhase.download(1_000), much)).isPresent();
        assertThat(SoakVerdict.judge(SoakPhase.connections(1_000), heap(1_000, 0, 4_096_000)))
                .isEmpty();
        assertThat(SoakVerdict.judge(SoakPhase.connections(1_000), heap(1_000, 0, 4_097_000)))
                .hasValueSatisfying(fault -> assertThat(fault).contains("4,097 bytes", "allowed: 4,096"));
    }

    @Test
    void typicalStepIgnoresTheOneOfTheCompiler() {
        MemorySeries series = heap(10, 0, 70, 1_070, 1_140);
        assertThat(series.units()).isEqualTo(30);
        assertThat(series.allocated()).isEqualTo(1_140);
        assertThat(series.typicalPerUnit()).isEqualTo(7);
    }

    @Test
    void namesAllocatorsByAmount() {
        MemorySeries series = new MemorySeries(1);
        series.add(new Memory(0, 0, 100, Map.of("loop", 60L, "quiet", 40L)));
        series.add(new Memory(0, 0, 2_000, Map.of("loop", 1_160L, "quiet", 40L, "new", 300L)));
        assertThat(series.allocators()).isEqualTo("loop 1,100, threads that the JVM hides 500, new 300");
    }

    private static MemorySeries resident(long... mebibytes) {
        MemorySeries series = new MemorySeries(1_000);
        LongStream.of(mebibytes).forEach(each -> series.add(new Memory(each * MIB, 0, 0, Map.of())));
        return series;
    }

    private static MemorySeries heap(long unitsPerStep, long... allocated) {
        MemorySeries series = new MemorySeries(unitsPerStep);
        LongStream.of(allocated).forEach(each -> series.add(new Memory(0, 0, each, Map.of())));
        return series;
    }

    @Test
    void aGatewayWithoutCollectionCarriesEverything() throws Exception {
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
