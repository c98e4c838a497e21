package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.process.Usage;
import java.util.List;

/** The most memory that was resident since the start of a worker. */
record PeakMemory() implements Observation {
    private static final Metric PEAK = Metric.cost("peak_resident_mib", "peak resident MiB");
    private static final double BYTES_PER_MIB = 1 << 20;

    @Override
    public List<Metric> metrics() {
        return List.of(PEAK);
    }

    @Override
    public Sample after(Sample sample, long pid, double seconds) {
        return sample.with(PEAK, Usage.peakResidentBytes(pid) / BYTES_PER_MIB);
    }
}
