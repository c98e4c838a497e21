package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import java.util.function.Supplier;

/**
 * One row with blocks of one size over one kind of socket.
 *
 * @param roundBytes the bytes of a round, a multiple of the block's
 */
record PipeTreatment(PipeKind kind, Supplier<AskedProcess> process, Wire wire, int blockBytes, long roundBytes)
        implements Treatment {
    /** The bytes that arrived, per elapsed time. */
    static final Metric RATE = Metric.rate("megabytes_per_second", "MB/s");

    /** CPU time of both threads, in user and kernel mode. */
    static final Metric CPU = Metric.cost("cpu_millis_per_gigabyte", "CPU ms/GB");

    /** Bytes that both threads allocated on the Java heap. */
    static final Metric HEAP = Metric.cost("heap_bytes_per_mebibyte", "heap B/MiB");

    /** The JIT compiler needs more than a second of transfer. */
    private static final int WARMUP_MILLIS = 2_500;

    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double BYTES_PER_MEBIBYTE = 1024 * 1024;
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public Identity identity() {
        return kind.identity();
    }

    @Override
    public void start() {
        process.get().ask("begin", wire, blockBytes, WARMUP_MILLIS);
    }

    @Override
    public Sample round() {
        Answer answer = process.get().ask("round", roundBytes / blockBytes);
        double seconds = answer.number("nanos") / NANOS_PER_SECOND;
        double cpuMillis = answer.number("cpu") / 1e6;
        return Sample.of(RATE, roundBytes / BYTES_PER_MEGABYTE / seconds)
                .with(CPU, cpuMillis / (roundBytes / 1e9))
                .with(HEAP, answer.number("heap") / (roundBytes / BYTES_PER_MEBIBYTE));
    }
}
