/**
 * A published comparison of four ways to run TLS in a JVM, repeated for each payload beside others' engines.
 *
 * <p>{@link dev.sluice.bench.architectures.ArchitecturesBenchmark} measures rows of {@code dev.sluice.bench.record},
 * which has their processes and the code that they run: here are only the choice of rows and workloads, the tables, and
 * the published figures ({@link dev.sluice.bench.architectures.Architecture}) with their verdicts ({@link
 * dev.sluice.bench.architectures.PublishedMatrix}).
 *
 * <p>A run blocks its caller.
 */
@NullMarked
package dev.sluice.bench.architectures;

import org.jspecify.annotations.NullMarked;
