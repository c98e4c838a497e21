package dev.sluice.gateway.metrics;

/** Types of metrics, as OpenMetrics names them. */
public enum MetricType {
    /** Counts events since the start and never decreases. Its name ends with {@code _total}. */
    COUNTER,
    /** A current value. */
    GAUGE,
    /** Counts observations in buckets. Its name ends with its unit. */
    HISTOGRAM,
    /** Always 1: its labels carry the information. Its name ends with {@code _info}. */
    INFO
}
