/**
 * The transfer protocol: messages, limits, and the frames that carry them; docs/transfer-protocol.md specifies it.
 *
 * <p>The target asks, the source answers in the order of the requests, and keeps no state about the target's progress.
 * {@link dev.sluice.transfer.protocol.FrameOutput} and {@link dev.sluice.transfer.protocol.FrameInput} write and read
 * frames on a {@link dev.sluice.transfer.protocol.Wire}, one stream of bytes in each direction; {@link
 * dev.sluice.transfer.protocol.ChannelWire} is one over a secure channel. File contents are not copied here: a wire
 * describes its memory as iovecs.
 */
@NullMarked
package dev.sluice.transfer.protocol;

import org.jspecify.annotations.NullMarked;
