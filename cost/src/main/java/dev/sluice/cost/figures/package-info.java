/**
 * The named figures of the cost of TLS on one machine, and their formats.
 *
 * <p>{@link dev.sluice.cost.figures.CostProfile} is the entry: figures by name, each an {@link
 * dev.sluice.cost.figures.Estimate} with its interval. It is all that the model, the reports, the audit and {@code
 * sluice check --costs} know of a measurement. {@link dev.sluice.cost.figures.CostProfileFile} is the file format.
 *
 * <p>Figures are immutable and may be used by any thread. Reading and writing files blocks.
 */
@NullMarked
package dev.sluice.cost.figures;

import org.jspecify.annotations.NullMarked;
