package dev.sluice.bench.calls;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import java.util.function.Supplier;

/**
 * One row with calls of one shape.
 *
 * @param calls the calls of a round
 */
record CallTreatment(CallKind kind, Supplier<Sides> sides, CallShape shape, int warmupMillis, int calls)
        implements Treatment {
    /** The processes of a row, each on a core of its own. */
    record Sides(AskedProcess client, AskedProcess server) implements AutoCloseable {
        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    private record Usage(double cpuNanos, double heapBytes) {
        static Usage of(Sides sides) {
            Answer client = sides.client.ask("usage");
            Answer server = sides.server.ask("usage");
            return new Usage(
                    client.number("cpu") + server.number("cpu"), client.number("heap") + server.number("heap"));
        }
    }

    /** The payload bytes of both directions, per elapsed time. */
    static final Metric RATE = Metric.rate("megabytes_per_second", "MB/s");

    /** The elapsed time of a round per call. */
    static final Metric TIME = Metric.cost("micros_per_call", "µs/call");

    /** CPU time of both processes, in user and kernel mode. */
    static final Metric CPU = Metric.cost("cpu_micros_per_call", "CPU µs/call");

    /** Bytes that all threads of both processes allocated on the Java heap. */
    static final Metric HEAP = Metric.cost("heap_bytes_per_call", "heap B/call");

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    @Override
    public Identity identity() {
        return kind.identity();
    }

    @Override
    public void start() {
        int port = (int) sides.get().server().ask("listen", words()).number("port");
        sides.get().client().ask("connect", words(), port, warmupMillis);
    }

    private String words() {
        return shape.requestBytes() + " " + shape.responseBytes() + " " + shape.depth();
    }

    @Override
    public Sample round() {
        Usage before = Usage.of(sides.get());
        double nanos = sides.get().client().ask("round", calls).number("nanos");
        Usage after = Usage.of(sides.get());
        double megabytes = shape.bytes() * (double) calls / BYTES_PER_MEGABYTE;
        return Sample.of(RATE, megabytes / (nanos / NANOS_PER_SECOND))
                .with(TIME, nanos / NANOS_PER_MICRO / calls)
                .with(CPU, (after.cpuNanos - before.cpuNanos) / NANOS_PER_MICRO / calls)
                .with(HEAP, (after.heapBytes - before.heapBytes) / calls);
    }
}
