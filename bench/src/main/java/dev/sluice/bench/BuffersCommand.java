package dev.sluice.bench;

import dev.sluice.bench.buffers.BufferPart;
import dev.sluice.bench.buffers.BuffersBenchmark;
import dev.sluice.bench.harness.Report;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench buffers} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "buffers",
        description = {
            "Measures the cost of a buffer by the way it is allocated: heap, direct buffers, arenas, malloc, "
                    + "Netty's and Agrona's, Sluice's slabs; what direct buffers cost under three collectors, as a "
                    + "published article did; and the cost of foreign calls by kind.",
            "",
            "Every treatment has its own process; rounds are interleaved in balanced order. A full run takes about "
                    + "twenty minutes, and up to 8 GB of memory."
        },
        mixinStandardHelpOptions = true)
final class BuffersCommand extends MeasuringCommand {
    @Option(names = "--quick", description = "Fewer and shorter rounds, for a first estimate.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "PART", split = ",", description = "Parts to run: ${COMPLETION-CANDIDATES}.")
    private Set<BufferPart> parts = EnumSet.allOf(BufferPart.class);

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new BuffersBenchmark(new BuffersBenchmark.Options(quick, parts, rounds(), json()), style, out, System.err)
                .run();
    }
}
