package dev.sluice.gateway.metrics;

/** The kind of a metric, in the words of OpenMetrics. */
public enum MetricType {
    /** Counts events since the start; never goes down. Its name ends with {@code _total}. */
    COUNTER,
    /** What there is now. */
    GAUGE,
    /** Counts observations by size. Its name ends with its unit. */
    HISTOGRAM,
    /** Always 1: what it tells stands in its labels. Its name ends with {@code _info}. */
    INFO
}
