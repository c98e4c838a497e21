/**
 * The commands {@code cost} and {@code cost plan}: options, progress, and where figures are kept.
 *
 * <p>{@link dev.sluice.cli.cost.CostCommand} is the entry. Everything runs on the command's own thread.
 */
@NullMarked
package dev.sluice.cli.cost;

import org.jspecify.annotations.NullMarked;
