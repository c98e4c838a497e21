package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.ocsp.OcspFailure;
import dev.sluice.gateway.ocsp.Stapling;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How OCSP responses stand on a page of metrics. Immutable. */
final class Staples {
    private final MetricPage page;
    private final Series ends;
    private final Series lifetimes;
    private final Series failures;

    Staples(MetricPage page) {
        this.page = page;
        this.ends = Series.of(page, Metric.TLS_OCSP_NEXT_UPDATE);
        this.lifetimes = Series.of(page, Metric.TLS_OCSP_LIFETIME);
        this.failures = Series.of(page, Metric.TLS_OCSP_FAILURE).whose(value -> value > 0);
    }

    /** How many certificates have none that are to have one. */
    Measured missing() {
        return Measured.of(page.sum(Metric.TLS_OCSP_CERTIFICATES.family(), "state", "missing"));
    }

    /** How long the one lasts that ends first, of those near their end whose renewal fails. */
    Measured secondsLeft() {
        return ends.samples().stream()
                .filter(end -> of(failures, end).count() > 0
                        && left(end) < Stapling.NEAR_END * of(lifetimes, end).sum())
                .min(Comparator.comparingDouble(MetricSample::value))
                .map(end -> new Measured(left(end), ends.label(end, "name")))
                .orElse(Measured.NOTHING);
    }

    private double left(MetricSample end) {
        return end.value() - page.time().toEpochMilli() / 1e3;
    }

    /** The series of the same certificate. */
    private Series of(Series series, MetricSample end) {
        return series.with("name", ends.label(end, "name")::equals)
                .with("key_type", ends.label(end, "key_type")::equals);
    }

    /**
     * Why the last attempts to get one have failed, of each certificate for which they have, the most frequent first.
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
