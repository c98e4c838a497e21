package dev.sluice.gateway.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A page in the terms of Prometheus' client library; apart from {@link MetricText}, so that this alone needs it loaded. */
final class PrometheusText {
    private static final ExpositionFormats FORMATS = ExpositionFormats.init();
    private static final String TOTAL = "_total";
    private static final String INFO = "_info";

    private PrometheusText() {}

    static String contentType(@Nullable String accept) {
        return writer(accept).getContentType();
    }

    static void write(MetricPage page, @Nullable String accept, OutputStream out) throws IOException {
        MultiCollector collector = () -> snapshots(page);
        writer(accept).write(out, collector.collect());
    }

    private static ExpositionFormatWriter writer(@Nullable String accept) {
        return FORMATS.findWriter(accept);
    }

    private static MetricSnapshots snapshots(MetricPage page) {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        for (MetricFamily family : page.families()) {
            if (!family.samples().isEmpty()) {
                snapshots.add(snapshot(family));
            }
        }
        return new MetricSnapshots(snapshots);
    }

    private static MetricSnapshot snapshot(MetricFamily family) {
        return switch (family.type()) {
            case COUNTER -> counter(family);
            case GAUGE -> gauge(family);
            case HISTOGRAM -> histogram(family);
            case INFO -> info(family);
        };
    }

    /** The formats write the suffix themselves, where it belongs. */
    private static String without(String suffix, String name) {
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }

    private static MetricSnapshot counter(MetricFamily family) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name(without(TOTAL, family.name())).help(family.help());
        for (MetricSample sample : family.samples()) {
            counter.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                    .labels(labels(family, sample))
                    .value(sample.value())
                    .build());
        }
        return counter.build();
    }

    private static MetricSnapshot gauge(MetricFamily family) {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name(family.name()).help(family.help());
        for (MetricSample sample : family.samples()) {
            gauge.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels(family, sample))
                    .value(sample.value())
                    .build());
        }
        return gauge.build();
    }

    private static MetricSnapshot info(MetricFamily family) {
        InfoSnapshot.Builder info =
                InfoSnapshot.builder().name(without(INFO, family.name())).help(family.help());
        for (MetricSample sample : family.samples()) {
            info.dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                    .labels(labels(family, sample))
                    .build());
        }
        return info.build();
    }

    private static MetricSnapshot histogram(MetricFamily family) {
        HistogramSnapshot.Builder histogram =
                HistogramSnapshot.builder().name(family.name()).help(family.help());
        for (MetricSample sample : family.samples()) {
            Distribution distribution = Objects.requireNonNull(sample.distribution(), family.name());
            histogram.dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                    .labels(labels(family, sample))
                    .classicHistogramBuckets(buckets(distribution))
                    .sum(distribution.sum())
                    .build());
        }
        return histogram.build();
    }

    /** With a last one for what is above all bounds. */
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

    private static Labels labels(MetricFamily family, MetricSample sample) {
        return family.labelNames().isEmpty() ? Labels.EMPTY : Labels.of(family.labelNames(), sample.labelValues());
    }
}
