package dev.sluice.gateway.metrics;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Metric snapshots as text: in Prometheus' own format, or in OpenMetrics if the scraper prefers that. Written by
 * Prometheus' client library, which lies beside the modules, on the class path, so that a gateway without scrapes
 * neither resolves nor loads any of it. May be used from any thread.
 */
public final class MetricText {
    private static final String ANY_CLASS = "io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter";

    private MetricText() {}

    /**
     * Returns the Content-Type of the format in which a snapshot is written.
     *
     * @param accept the Accept header of the request; null if there was none
     * @throws IllegalStateException if the library is absent; the message says how to get it
     */
    public static String contentType(@Nullable String accept) {
        requireLibrary();
        return PrometheusText.contentType(accept);
    }

    /**
     * Writes a snapshot; the stream stays open.
     *
     * @param accept as above
     * @throws IllegalStateException if the library is absent; the message says how to get it
     */
    public static void write(MetricSnapshot snapshot, @Nullable String accept, OutputStream out) throws IOException {
        requireLibrary();
        PrometheusText.write(snapshot, accept, out);
    }

    private static void requireLibrary() {
        ClassLoader loader = MetricText.class.getClassLoader();
        MetricText.class.getModule().addReads(loader.getUnnamedModule());
        try {
            Class.forName(ANY_CLASS, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Prometheus' client library is missing (" + ANY_CLASS
                            + "); start with ./sluice, or put prometheus-metrics-exposition-textformats on the"
                            + " class path",
                    e);
        }
    }
}
