/**
 * Collectors: where the gateway's metrics are read from, one class per subject.
 *
 * <p>{@link dev.sluice.gateway.collect.GatewayMetrics} asks every collector for one snapshot;
 * {@link dev.sluice.gateway.collect.GatewayAlerts} feeds the alerts from the same snapshots.
 *
 * <p>Called on the threads of scrapes and alerts; collectors read what loops publish and lock nothing.
 */
@NullMarked
package dev.sluice.gateway.collect;

import org.jspecify.annotations.NullMarked;
