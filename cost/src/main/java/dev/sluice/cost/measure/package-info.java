/**
 * The measurement of TLS costs on this machine: probes, each of one quantity, in interleaved rounds.
 *
 * <p>{@link dev.sluice.cost.measure.Measurement} is the entry. It runs all six phases at the thoroughness of {@link
 * dev.sluice.cost.measure.Effort} and reports through {@link dev.sluice.cost.measure.Progress}; every probe runs once
 * in each round, and figures are medians of rounds. {@link dev.sluice.cost.measure.SpeedComparison} checks some of them
 * against {@code openssl speed}.
 *
 * <p>A measurement blocks its caller and is confined to one thread, whose CPU time it measures. Probes own native
 * objects, and their owner closes them.
 */
@NullMarked
package dev.sluice.cost.measure;

import org.jspecify.annotations.NullMarked;
