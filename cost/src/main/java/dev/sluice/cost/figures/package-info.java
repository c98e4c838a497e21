/**
 * Named figures of what TLS costs, and their formats.
 *
 * <p>{@link dev.sluice.cost.figures.CostProfile} is the entry: a flat list of figures, each an estimate with its
 * interval. It is all that the model, the reports, the audit and {@code sluice check --costs} know of a measurement.
 *
 * <p>Everything is immutable and may be used by any thread.
 */
@NullMarked
package dev.sluice.cost.figures;

import org.jspecify.annotations.NullMarked;
