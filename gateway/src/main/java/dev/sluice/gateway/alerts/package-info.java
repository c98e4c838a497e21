/**
 * Alerts on the gateway's own metrics: thresholds, states, and advice for the operator.
 *
 * <p>{@link dev.sluice.gateway.alerts.AlertWatch} is the entry: it takes a metric snapshot periodically and reports
 * each alert that fires or clears to the log and to the operator's command. {@link
 * dev.sluice.gateway.alerts.AlertSource} gives the state of all alerts as values of {@link
 * dev.sluice.gateway.alerts.AlertStatus}.
 *
 * <p>Evaluation has a thread of its own; the watch and the source may be used from any thread. The evaluating classes
 * are confined to one thread at a time. No loop waits for them.
 *
 * <pre>
 * snapshot ──▶ AlertRule ──▶ Threshold ──▶ AlertTimer ──▶ log, AlertCommand
 * </pre>
 */
@NullMarked
package dev.sluice.gateway.alerts;

import org.jspecify.annotations.NullMarked;
