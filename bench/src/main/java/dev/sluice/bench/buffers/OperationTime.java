package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.Metric;

/**
 * The elapsed time of an operation in the unit that suits it.
 *
 * @param metric the headline of an experiment
 * @param nanos nanoseconds in the unit
 */
record OperationTime(Metric metric, double nanos) {
    /** For allocations and calls. */
    static final OperationTime NANOS = new OperationTime(Metric.cost("nanos", "ns"), 1);

    /** For messages. */
    static final OperationTime MICROS = new OperationTime(Metric.cost("micros_per_message", "µs per message"), 1e3);

    /** For files and errors. */
    static final OperationTime MILLIS = new OperationTime(Metric.cost("millis", "ms"), 1e6);

    /** For sums over a quarter of a GiB. */
    static final OperationTime PER_GIB = new OperationTime(Metric.cost("millis_per_gib", "ms per GiB"), 0.25e6);
}
