/**
 * The push of metrics by OTLP/HTTP to a collector of OpenTelemetry.
 *
 * <p>{@link dev.sluice.gateway.otlp.MetricPush} takes a snapshot of all metrics at each interval and sends it on a
 * virtual thread, off the loops. Counts are cumulative, so that nothing is queued for a collector that does not answer.
 * {@link dev.sluice.gateway.otlp.OtlpJson} encodes a snapshot as an ExportMetricsServiceRequest in JSON.
 *
 * <p>A gateway without {@code metrics.otlp} starts no thread for it.
 */
@NullMarked
package dev.sluice.gateway.otlp;

import org.jspecify.annotations.NullMarked;
