package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Usage;

/**
 * The time from the start of the process to the end of the first connection, which the load generator retries
 * continuously; and the memory at that moment.
 *
 * @param terminator the measured server
 */
record StartupTreatment(Terminator terminator, Fleet fleet) implements Treatment {
    static final String TITLE = "Start: from process start to the first connection served, and resident memory then";
    static final Metric MILLIS = Metric.cost("start_millis", "ms");
    static final Metric RESIDENT = Metric.cost("resident_mib", "RSS MiB");
    static final Metric CPU = Metric.cost("start_cpu_millis", "CPU ms");

    private static final double MIB = 1024 * 1024;
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public Identity identity() {
        return terminator.identity();
    }

    @Override
    public Sample round() {
        long before = System.nanoTime();
        try (Fleet.Member server = fleet.launch(terminator)) {
            double elapsed = System.nanoTime() - before;
            return Sample.of(MILLIS, elapsed / NANOS_PER_MILLI)
                    .with(CPU, Usage.cpuNanos(server.process().tree()) / NANOS_PER_MILLI)
                    .with(RESIDENT, Usage.residentBytes(server.process().tree()) / MIB);
        }
    }
}
