package dev.sluice.bench.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.buffers.work.BufferKind;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuffersBenchmarkTest {
    private static final BufferEffort LEAST =
            new BufferEffort(1, 1, new Experiment.Plan(0, 1), 1, new Experiment.Plan(0, 1), BufferEffort.Sizes.SOME);

    @TempDir
    private Path directory = Path.of("");

    private String run(Set<BufferPart> parts) throws InterruptedException {
        ByteArrayOutputStream results = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(results, true, StandardCharsets.UTF_8);
                PrintStream progress = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)) {
            BuffersBenchmark.Options options =
                    new BuffersBenchmark.Options(true, parts, Optional.empty(), Optional.of(results()));
            new BuffersBenchmark(options, LEAST, Report.Style.TEXT, out, progress).run();
        }
        return results.toString(StandardCharsets.UTF_8);
    }

    private Path results() {
        return directory.resolve("buffers.jsonl");
    }

    @Test
    void everyAllocatorAllocatesFreesAndKeepsItsLiveSet() throws Exception {
        String said = run(EnumSet.of(BufferPart.LIVE, BufferPart.HANDOFF));

        assertThat(said)
                .contains("8,192 live: 16 KiB", "freed by another: 64 KiB")
                .doesNotContain("Left out");
        for (BufferKind kind : BufferKind.values()) {
            assertThat(said).contains("\n" + kind.identity().name());
        }
        assertThat(Files.readString(results())).contains("\"experiment\":\"allocate-16384-live-8192-touched\"");
    }

    @Test
    void everyForeignCallReturnsItsResult() throws Exception {
        assertThat(run(EnumSet.of(BufferPart.CALLS)))
                .contains(
                        "\nplain ", "\ncritical ", "\ncapturing errno ", "\nsegment, heap, critical ", "\none upcall ")
                .doesNotContain("Left out");
    }

    @Test
    void theApplicationRunsUnderEveryCollectorAndItsPausesAreRead() throws Exception {
        assertThat(run(EnumSet.of(BufferPart.ECHO)))
                .contains("\nallocateDirect, G1 ", "\nallocateDirect, ZGC ", "longest pause, ms")
                .doesNotContain("Left out");
    }

    @Test
    void readsPausesInTheLogsOfAllCollectors() {
        assertThat(GcPauses.durations("""
                        [0.1s][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->1M(512M) 1.234ms
                        [0.1s][gc,phases] GC(0)   Pre Evacuate Collection Set: 0.2ms
                        [0.2s][gc,phases] GC(1) Y: Pause Mark Start                0.005ms
                        [0.3s][gc,phases] GC(1) Y: Concurrent Mark                 9.000ms
                        [0.4s][gc] GC(15) Pause Final Mark (process weakrefs) 86.167ms
                        [0.5s][gc] GC(16) Pause Full (System.gc()) 2M->1M(512M) 5.500ms
                        """)).containsExactly(1.234, 0.005, 86.167, 5.5);
    }
}
