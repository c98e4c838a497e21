/**
 * A mount of a peer's exported directory through the kernel's FUSE protocol.
 *
 * <p>{@link dev.sluice.transfer.mount.Mount} is the entry. One thread reads the kernel's requests and
 * turns them into requests of the protocol of {@code transfer.files} ({@code RequestHandler}), another one receives the
 * answers and completes what waits for them ({@code AnswerHandler}). They share {@code MountState} under its lock,
 * which neither holds while it sends or receives. Any number of requests is in flight.
 *
 * <pre>
 * kernel ── /dev/fuse ──▶ RequestHandler ── FrameWriter ──▶ SecureChannel ──▶ export
 *    ▲                          │ MountState: Nodes, OpenFiles, BlockCache, CallQueue
 *    └────── /dev/fuse ── AnswerHandler ◀── FrameReader ── SecureChannel ◀── export
 * </pre>
 *
 * <p>Sequential reads are read ahead into a bounded cache of blocks off the heap. Writes are acknowledged to the kernel
 * before the peer has answered, up to a limit; fsync and close wait for the answers and report their errors.
 */
@NullMarked
package dev.sluice.transfer.mount;

import org.jspecify.annotations.NullMarked;
