package dev.sluice.gateway.metrics;

/** A reader of some metrics. */
@FunctionalInterface
public interface MetricCollector {
    /** Adds their current series to a snapshot. Called on any thread. */
    void collect(MetricSnapshot.Builder snapshot);
}
