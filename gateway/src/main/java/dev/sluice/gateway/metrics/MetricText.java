package dev.sluice.gateway.metrics;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A page as text for Prometheus: its own format, or OpenMetrics for whoever asks for that. Written by Prometheus' client
 * library for Java, which is loaded by the first call. May be used from any thread.
 */
public final class MetricText {
    private MetricText() {}

    /**
     * In which of the formats a page is written.
     *
     * @param accept the Accept header of the request; null: there was none
     * @return for the Content-Type header
     * @throws IllegalStateException when the library is not there: says how to get it
     */
    public static String contentType(@Nullable String accept) {
        PrometheusClient.require();
        return PrometheusText.contentType(accept);
    }

    /**
     * Writes a page; the stream stays open.
     *
     * @param accept as above
     * @throws IllegalStateException when the library is not there: says how to get it
     */
    public static void write(MetricPage page, @Nullable String accept, OutputStream out) throws IOException {
        PrometheusClient.require();
        PrometheusText.write(page, accept, out);
    }
}
