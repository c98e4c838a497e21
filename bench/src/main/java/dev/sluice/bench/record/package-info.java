/**
 * The record benchmark: the cost of sealing and opening a TLS record, compared with other implementations.
 *
 * <p>{@link dev.sluice.bench.record.RecordBenchmark} runs all rows, one workload after the other, and prints the
 * report. {@link dev.sluice.bench.record.Row} is one way to protect records; {@link dev.sluice.bench.record.Rows} holds
 * the process of each, all on the same core and used one at a time.
 *
 * <p>A run blocks its caller. The measured code runs in the rows' own processes, see {@code
 * dev.sluice.bench.record.path}.
 */
@NullMarked
package dev.sluice.bench.record;

import org.jspecify.annotations.NullMarked;
