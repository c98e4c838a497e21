/**
 * The commands that transfer files: {@code send}, {@code receive}, {@code serve}, {@code pull}, {@code push}, {@code
 * keys}; {@code mount}, which mounts a served directory; and {@code relay}, which joins machines that do not reach each
 * other.
 *
 * <p>A {@link dev.sluice.cli.transfer.HostMeeting} yields connected sockets to the side that waits, a {@link
 * dev.sluice.cli.transfer.GuestMeeting} to the one that connects; a {@link dev.sluice.cli.transfer.Proof} makes
 * authenticated channels of them. {@link dev.sluice.cli.transfer.AcceptLoop} does both for the first, {@link
 * dev.sluice.cli.transfer.DialedStreams} for the second. {@link dev.sluice.cli.transfer.TransferReport} prints events
 * and progress.
 *
 * <p>A command runs on the main thread, each stream on a thread of its own. SIGINT and SIGTERM cancel the transfer and
 * leave what the next attempt resumes.
 *
 * <pre>
 * HostMeeting, GuestMeeting ──socket──▶ Proof ──channel──▶ Sender, Receiver, Export, Mount ──▶ TransferReport
 * </pre>
 */
@NullMarked
package dev.sluice.cli.transfer;

import org.jspecify.annotations.NullMarked;
