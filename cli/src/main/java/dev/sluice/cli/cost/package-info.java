/**
 * The commands {@code cost} and {@code cost plan}: options, progress, and storage of the measured figures.
 *
 * <p>{@link dev.sluice.cli.cost.CostCommand} measures this machine and saves the figures. {@link
 * dev.sluice.cli.cost.PlanCommand} predicts the resources of a load from them; the load comes from options or, through
 * {@link dev.sluice.cli.cost.MetricsSource}, from a gateway's metrics.
 *
 * <p>Everything runs on the main thread and blocks it; the measurement itself is in {@code dev.sluice.cost.measure}.
 */
@NullMarked
package dev.sluice.cli.cost;

import org.jspecify.annotations.NullMarked;
