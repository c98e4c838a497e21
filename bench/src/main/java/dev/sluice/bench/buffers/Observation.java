package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import java.util.List;

/** Figures that are taken from outside of a worker during a round. */
interface Observation {
    /** No figures. */
    Observation NONE = new Observation() {
        @Override
        public List<Metric> metrics() {
            return List.of();
        }

        @Override
        public Sample after(Sample sample, long pid, double seconds) {
            return sample;
        }
    };

    /** Returns the metrics that it adds. */
    List<Metric> metrics();

    /** Called before a round. */
    default void before() {}

    /**
     * Called after a round.
     *
     * @param sample what the worker has measured
     * @param pid the worker's process
     * @param seconds duration of the round
     * @return the sample with more metrics
     */
    Sample after(Sample sample, long pid, double seconds);
}
