/**
 * The measuring harness: rounds in balanced order, statistics, the result log and the report.
 *
 * <p>{@link dev.sluice.bench.harness.Experiment} is one question, measured for several instances of {@link
 * dev.sluice.bench.harness.Treatment}. {@link dev.sluice.bench.harness.ExperimentRunner} starts the treatments, runs
 * the rounds in the order of {@link dev.sluice.bench.harness.RoundOrder}, and keeps the counted ones. {@link
 * dev.sluice.bench.harness.ResultLog} writes every round, and every {@link dev.sluice.bench.harness.ResultRow} with its
 * interval by {@link dev.sluice.bench.harness.Bootstrap}, as a JSON line; {@link dev.sluice.bench.harness.Report}
 * prints tables.
 *
 * <p>A run blocks its caller and calls all treatments on that thread. The harness is independent of the measured
 * subject.
 *
 * <pre>
 * Experiment ──▶ ExperimentRunner ──▶ ExperimentResult ──▶ Report, RatioChart
 *                       └──▶ ResultLog (each round; the rows)
 * </pre>
 */
@NullMarked
package dev.sluice.bench.harness;

import org.jspecify.annotations.NullMarked;
