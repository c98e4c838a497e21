package dev.sluice.gateway.admin;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Duration;

/**
 * The interval between two metric snapshots.
 *
 * @param before the earlier snapshot
 * @param after the later snapshot
 * @param history earlier samples, and those of this interval so far
 */
record Interval(MetricSnapshot before, MetricSnapshot after, History history) {
    /** Returns the rate of a counter per second; 0 if it did not increase, or was reset. */
    double rate(Metric metric, String... labels) {
        double seconds = Duration.between(before.time(), after.time()).toNanos() / 1e9;
        double growth = after.sum(metric, labels) - before.sum(metric, labels);
        return seconds <= 0 ? 0 : Math.max(0, growth) / seconds;
    }

    /** Returns the value of a gauge at the end. */
    double now(Metric metric) {
        return after.sum(metric);
    }

    /**
     * Returns the mean of the known ones among a series' last samples, including this interval's; NaN if there are
     * none.
     */
    double recentMean(Series series, int samples) {
        return history.recentMean(series, samples);
    }
}
