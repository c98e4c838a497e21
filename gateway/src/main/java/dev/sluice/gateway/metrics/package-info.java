/**
 * The metrics of a gateway: the catalogue ({@link dev.sluice.gateway.metrics.Metric}), and snapshots of all values at
 * one time, which are exposed, drawn and watched.
 *
 * <pre>
 *   MetricCollector ──▶ MetricSnapshot ──▶ MetricText (scrapes), dashboard, alerts
 *                            │
 *                          Metric      also indexes the counters of event loops
 * </pre>
 *
 * <p>A snapshot is immutable; it is taken and read on any thread.
 */
@NullMarked
package dev.sluice.gateway.metrics;

import org.jspecify.annotations.NullMarked;
