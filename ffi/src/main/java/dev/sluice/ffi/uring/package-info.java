/**
 * The io_uring(7) interface of the kernel: the structs of linux/io_uring.h, and a ring with its queues. No liburing.
 *
 * <p>{@link dev.sluice.ffi.uring.Ring} is the entry: it opens an instance and maps its queues. {@link
 * dev.sluice.ffi.uring.SubmissionQueue} and {@link dev.sluice.ffi.uring.CompletionQueue} are the two directions; {@link
 * dev.sluice.ffi.uring.BufferRing} provides receive buffers. {@link dev.sluice.ffi.uring.UringUnavailableException}
 * names the cause and the remedy.
 *
 * <p>A ring is confined to the thread that opened it, which the kernel enforces. It owns its descriptor and mappings; a
 * buffer ring owns its entries, not the buffers.
 *
 * <pre>
 * loop ── Sqe ──▶ SubmissionQueue ──▶ kernel ──▶ CompletionQueue ──▶ loop
 * </pre>
 */
@NullMarked
package dev.sluice.ffi.uring;

import org.jspecify.annotations.NullMarked;
