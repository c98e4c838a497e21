/**
 * The suite of buffers and foreign calls: what a buffer costs by the way it is allocated, what collectors make of
 * direct buffers, and what a call into C costs.
 *
 * <p>{@link dev.sluice.bench.buffers.BuffersBenchmark} runs the experiments that {@link
 * dev.sluice.bench.buffers.BufferPart} describes. Each {@link dev.sluice.bench.buffers.TaskTreatment} is a process of
 * {@link dev.sluice.bench.buffers.WorkerPool}, so that the JIT compiler of one knows one kind of buffer; an {@link
 * dev.sluice.bench.buffers.Observation} adds what is seen from outside: pauses in the log of the collector, resident
 * memory.
 *
 * <p>The harness runs on the main thread, the tasks in processes of {@link dev.sluice.bench.buffers.work.BufferWorker}.
 */
@NullMarked
package dev.sluice.bench.buffers;

import org.jspecify.annotations.NullMarked;
