package dev.sluice.gateway.admin;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricPage;
import java.time.Duration;

/**
 * What happened between two pages of metrics.
 *
 * @param before the earlier page
 * @param after the later page
 * @param history what was sampled before, and what is known of this interval yet
 */
record Interval(MetricPage before, MetricPage after, History history) {
    /** How much a counter grew a second; 0 when it did not, or was reset. */
    double rate(Metric metric, String... labels) {
        double seconds = Duration.between(before.time(), after.time()).toNanos() / 1e9;
        double growth = after.sum(metric.family(), labels) - before.sum(metric.family(), labels);
        return seconds <= 0 ? 0 : Math.max(0, growth) / seconds;
    }

    /** What a gauge stands at. */
    double now(Metric metric) {
        return after.sum(metric.family());
    }

    /** The mean of a series' last samples that are known, this interval's included; NaN when none is. */
    double recentMean(Series series, int samples) {
        return history.recentMean(series, samples);
    }
}
