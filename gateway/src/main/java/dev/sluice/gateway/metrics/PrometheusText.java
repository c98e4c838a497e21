package dev.sluice.gateway.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Metric snapshots in terms of Prometheus' client library; separate from {@link MetricText}, so that it alone loads it.
 */
final class PrometheusText {
    private static final ExpositionFormats FORMATS = ExpositionFormats.init();
    private static final String TOTAL = "_total";
    private static final String INFO = "_info";

    private PrometheusText() {}

    static String contentType(@Nullable String accept) {
        return writer(accept).getContentType();
    }

    static void write(MetricSnapshot snapshot, @Nullable String accept, OutputStream out) throws IOException {
        writer(accept).write(out, translate(snapshot));
    }

    private static ExpositionFormatWriter writer(@Nullable String accept) {
        return FORMATS.findWriter(accept);
    }

    private static MetricSnapshots translate(MetricSnapshot snapshot) {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        for (Metric metric : Metric.values()) {
            List<MetricSample> samples = snapshot.samples(metric);
            if (!samples.isEmpty()) {
                all.metricSnapshot(
                        switch (metric.type()) {
                            case COUNTER -> counter(metric, samples);
                            case GAUGE -> gauge(metric, samples);
                            case HISTOGRAM -> histogram(metric, samples);
                            case INFO -> info(metric, samples);
                        });
            }
        }
        return all.build();
    }

    /** Returns a name without the suffix that the formats add themselves where it belongs. */
    private static String without(String suffix, Metric metric) {
        String id = metric.id();
        return id.endsWith(suffix) ? id.substring(0, id.length() - suffix.length()) : id;
    }

    private static CounterSnapshot counter(Metric metric, List<MetricSample> samples) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name(without(TOTAL, metric)).help(metric.help());
        for (MetricSample sample : samples) {
            counter.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                    .labels(labels(metric, sample))
                    .value(sample.value())
                    .build());
        }
        return counter.build();
    }

    private static GaugeSnapshot gauge(Metric metric, List<MetricSample> samples) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(metric.id()).help(metric.help());
        for (MetricSample sample : samples) {
            gauge.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels(metric, sample))
                    .value(sample.value())
                    .build());
        }
        return gauge.build();
    }

    private static InfoSnapshot info(Metric metric, List<MetricSample> samples) {
        InfoSnapshot.Builder info =
                InfoSnapshot.builder().name(without(INFO, metric)).help(metric.help());
        for (MetricSample sample : samples) {
            info.dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                    .labels(labels(metric, sample))
                    .build());
        }
        return info.build();
    }

    private static HistogramSnapshot histogram(Metric metric, List<MetricSample> samples) {
        HistogramSnapshot.Builder histogram =
                HistogramSnapshot.builder().name(metric.id()).help(metric.help());
        for (MetricSample sample : samples) {
            Distribution distribution = Objects.requireNonNull(sample.distribution(), metric.id());
            histogram.dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                    .labels(labels(metric, sample))
                    .classicHistogramBuckets(buckets(distribution))
                    .sum(distribution.sum())
                    .build());
        }
        return histogram.build();
    }

    /** Returns the buckets, with a last one for what is above all bounds. */
    private static ClassicHistogramBuckets buckets(Distribution distribution) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long above = distribution.count();
        for (int i = 0; i < distribution.upperBounds().size(); i++) {
            buckets.bucket(
                    distribution.upperBounds().get(i), distribution.counts().get(i));
            above -= distribution.counts().get(i);
        }
        return buckets.bucket(Double.POSITIVE_INFINITY, above).build();
    }

    private static Labels labels(Metric metric, MetricSample sample) {
        return metric.labels().isEmpty() ? Labels.EMPTY : Labels.of(metric.labels(), sample.labelValues());
    }
}
