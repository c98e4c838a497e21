/**
 * The collectors of the gateway's metrics, one class per subject.
 *
 * <p>{@link dev.sluice.gateway.collect.GatewayMetrics} is the entry: it asks every collector for one snapshot. {@link
 * dev.sluice.gateway.collect.LoopMetrics}, {@link dev.sluice.gateway.collect.ConnectionMetrics}, {@link
 * dev.sluice.gateway.collect.KeyMetrics} and {@link dev.sluice.gateway.collect.LifeMetrics} collect one subject each.
 * {@link dev.sluice.gateway.collect.GatewayAlerts} holds the alerts that the active configuration enables.
 *
 * <p>Snapshots are taken on the threads of scrapes and alerts. Only the caller waits: loops write their counters and do
 * not notice.
 */
@NullMarked
package dev.sluice.gateway.collect;

import org.jspecify.annotations.NullMarked;
