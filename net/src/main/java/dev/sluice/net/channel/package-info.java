/**
 * Blocking TLS channels for virtual threads, on top of event loops.
 *
 * <p>{@link dev.sluice.net.channel.TlsChannel} is the entry: a {@link java.nio.channels.ByteChannel} whose reads and
 * writes park the calling thread until the loop has moved the bytes. {@link
 * dev.sluice.net.channel.ChannelHandler} serves each connection of a server on a virtual thread of its own.
 *
 * <p>A channel may be used by any threads: one that reads and one that writes at a time, others wait for them. What
 * crosses between a thread and the loop is guarded by one lock for each channel.
 */
@NullMarked
package dev.sluice.net.channel;

import org.jspecify.annotations.NullMarked;
