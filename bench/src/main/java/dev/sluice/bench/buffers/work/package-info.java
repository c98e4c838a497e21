/**
 * The measured process of the buffers suite, one per treatment, so that the JIT compiler sees one kind of buffer.
 *
 * <p>{@link dev.sluice.bench.buffers.work.BufferWorker} is its entry point. Each {@link
 * dev.sluice.bench.buffers.work.MeasuredTask} is one experiment's work: {@link
 * dev.sluice.bench.buffers.work.LiveSetTask} allocates from a {@link dev.sluice.bench.buffers.work.BufferSource}, of
 * which there is one implementation per allocator; {@link dev.sluice.bench.buffers.work.NativeCallKind} lists kinds of
 * foreign calls.
 *
 * <p>Tasks run on one thread; a task that needs another one starts it itself.
 */
@NullMarked
package dev.sluice.bench.buffers.work;

import org.jspecify.annotations.NullMarked;
