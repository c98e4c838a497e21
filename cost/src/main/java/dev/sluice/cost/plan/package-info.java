/**
 * The capacity model: the resources of a load, and the effect of single configuration changes.
 *
 * <p>{@link dev.sluice.cost.plan.PlanModel} is the entry: it predicts a {@link dev.sluice.cost.plan.Plan} for a {@link
 * dev.sluice.cost.plan.Load} from the figures of one machine and from {@link dev.sluice.cost.plan.BaseCosts}. {@link
 * dev.sluice.cost.plan.Lever} is a single configuration change. {@link dev.sluice.cost.plan.ScrapedMetrics} derives the
 * load of a running gateway from its metrics.
 *
 * <p>The model is immutable. It computes in memory and does no I/O.
 *
 * <pre>
 * CostProfile ──▶ PlanModel ── Load ──▶ Plan
 * </pre>
 */
@NullMarked
package dev.sluice.cost.plan;

import org.jspecify.annotations.NullMarked;
