package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricSeries;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.ocsp.OcspFailure;
import dev.sluice.gateway.ocsp.Stapling;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The OCSP responses in a metric snapshot. Immutable. */
final class StapleState {
    private final MetricSnapshot snapshot;
    private final MetricSeries ends;
    private final MetricSeries lifetimes;
    private final MetricSeries failures;

    StapleState(MetricSnapshot snapshot) {
        this.snapshot = snapshot;
        this.ends = snapshot.series(Metric.TLS_OCSP_NEXT_UPDATE);
        this.lifetimes = snapshot.series(Metric.TLS_OCSP_LIFETIME);
        this.failures = snapshot.series(Metric.TLS_OCSP_FAILURE).whose(value -> value > 0);
    }

    /** Returns the number of certificates with a responder but without a response. */
    Measured missing() {
        return Measured.of(snapshot.sum(Metric.TLS_OCSP_CERTIFICATES, "state", "missing"));
    }

    /** Returns the seconds left of the first response to expire, among those near their end whose renewal fails. */
    Measured secondsLeft() {
        return ends.samples().stream()
                .filter(end -> of(failures, end).count() > 0
                        && left(end) < Stapling.NEAR_END * of(lifetimes, end).sum())
                .min(Comparator.comparingDouble(MetricSample::value))
                .map(end -> new Measured(left(end), ends.label(end, "name")))
                .orElse(Measured.NOTHING);
    }

    private double left(MetricSample end) {
        return end.value() - snapshot.time().toEpochMilli() / 1e3;
    }

    /** Returns the series of the same certificate. */
    private MetricSeries of(MetricSeries series, MetricSample end) {
        return series.with("name", ends.label(end, "name")::equals)
                .with("key_type", ends.label(end, "key_type")::equals);
    }

    /**
     * Returns the causes of failed attempts, one for each certificate whose last attempt failed, the most frequent
     * first.
     */
    List<OcspFailure> causes() {
        return failures.values("cause").stream()
                .sorted(Comparator.comparingInt(
                        cause -> -failures.with("cause", cause::equals).count()))
                .map(OcspFailure::ofLabel)
                .flatMap(Optional::stream)
                .toList();
    }
}
