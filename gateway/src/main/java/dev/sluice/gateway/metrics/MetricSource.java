package dev.sluice.gateway.metrics;

/** Where metrics come from. May be asked by any thread at any time, and takes no lock that a loop could wait for. */
@FunctionalInterface
public interface MetricSource {
    /** Reads all metrics now. */
    MetricPage read();
}
