/**
 * The commands that transfer files: {@code send}, {@code receive}, {@code serve}, {@code pull}, {@code push}, {@code
 * keys}; and {@code mount}, which mounts a peer's directory.
 *
 * <p>A {@link dev.sluice.cli.transfer.Meeting} yields connected sockets to a peer, a {@link
 * dev.sluice.cli.transfer.Proof} makes authenticated channels of them. {@link dev.sluice.cli.transfer.AcceptLoop} does
 * both for the side that waits, {@link dev.sluice.cli.transfer.DialedStreams} for the one that connects. {@link
 * dev.sluice.cli.transfer.TransferReport} prints events and progress.
 *
 * <p>A command runs on the main thread, each stream on a thread of its own. SIGINT and SIGTERM cancel the transfer and
 * leave what the next attempt resumes.
 *
 * <pre>
 * Meeting ──socket──▶ Proof ──channel──▶ Sender or Receiver ──events──▶ TransferReport
 * </pre>
 */
@NullMarked
package dev.sluice.cli.transfer;

import org.jspecify.annotations.NullMarked;
