/**
 * The throughput of secure channels: blocks of memory from one thread to another, over a socket in one process.
 *
 * <p>{@link dev.sluice.bench.transfer.TransferBenchmark} is the entry. Every row has a process of its own, a {@link
 * dev.sluice.bench.transfer.PipeWorker}, in which one thread sends a block again and again through a {@link
 * dev.sluice.bench.transfer.Pipe} and another one receives it and compares every byte.
 *
 * <p>A pipe's two ends are used by one thread each; everything else is confined to its caller.
 *
 * <pre>
 * TransferBenchmark ──▶ PipeTreatment ── requests ──▶ PipeWorker ──▶ Pipe
 * </pre>
 */
@NullMarked
package dev.sluice.bench.transfer;

import org.jspecify.annotations.NullMarked;
