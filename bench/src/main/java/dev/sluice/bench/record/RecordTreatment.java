package dev.sluice.bench.record;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import java.util.function.Supplier;

/** One row with one workload. */
public final class RecordTreatment implements Treatment {
    /** Elapsed time: the process has its own core, and disturbances affect all rows alike. */
    public static final Metric NANOS = Metric.cost("nanos", "ns per record");

    /** Bytes allocated on the Java heap, excluding C. For opening, the preceding sealing is included. */
    public static final Metric HEAP = Metric.cost("heap_bytes", "heap B per record");

    /** Garbage collections in a round. For opening, those of the preceding sealing are included. */
    public static final Metric COLLECTIONS = Metric.cost("collections", "collections per round");

    private final Row row;
    private final Supplier<AskedProcess> process;
    private final Workload workload;
    private final Effort effort;

    RecordTreatment(Row row, Supplier<AskedProcess> process, Workload workload, Effort effort) {
        this.row = row;
        this.process = process;
        this.workload = workload;
        this.effort = effort;
    }

    @Override
    public Identity identity() {
        return row.identity();
    }

    @Override
    public void start() {
        process.get()
                .ask(
                        "begin",
                        workload.operation().word(),
                        workload.suite(),
                        workload.bytes(),
                        effort.roundMillis(),
                        effort.warmupMillis(),
                        effort.plan().warmups() + effort.plan().rounds());
    }

    @Override
    public Sample round() {
        Answer answer = process.get().ask("round");
        return Sample.of(NANOS, answer.number("nanos"))
                .with(HEAP, answer.number("heap", 0))
                .with(COLLECTIONS, answer.number("collections", 0));
    }
}
