/**
 * Senders and receivers of trees.
 *
 * <p>{@link dev.sluice.transfer.move.Sender} answers the requests of a target out of a source tree, one thread for each
 * stream. {@link dev.sluice.transfer.move.Receiver} asks for what its directory lacks. Progress and results are
 * reported to a {@link dev.sluice.transfer.move.TransferListener}.
 *
 * <p>Memory is bounded whatever the size of the tree: a page of the manifest is asked for when the queue of 8,192 files
 * has room, and contents go from the wire's memory into the file.
 *
 * <p>A stream whose connection is lost does not end the session: its work returns to the queue, and the side that
 * connects opens it again, within the limits of {@link dev.sluice.transfer.move.Reconnection}.
 */
@NullMarked
package dev.sluice.transfer.move;

import org.jspecify.annotations.NullMarked;
