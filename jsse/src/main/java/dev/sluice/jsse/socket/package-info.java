/**
 * {@code SSLSocket} and {@code SSLServerSocket} on top of any {@code SSLEngine}.
 *
 * <p>An {@link EngineSocket} is always layered over a plain {@code Socket}, its transport: one that it made, one that a
 * server socket accepted, or one that the caller passed. {@code SocketConnection} holds the states and drives the
 * handshake; {@code InboundRecords} and {@code OutboundRecords} each own a direction with its lock and its buffer.
 *
 * <p>Locks are taken in the order handshake, inbound, outbound. A reader never waits for a writer: what it must answer
 * is left to the writer when one is active. All locks are {@code ReentrantLock}s, so virtual threads do not pin.
 *
 * <p>Buffers are byte arrays, since a {@code Socket} reads and writes nothing else, and since a socket that is dropped
 * without a close must not leave native memory behind. Each is reused, and dropped at the close.
 */
@NullMarked
package dev.sluice.jsse.socket;

import org.jspecify.annotations.NullMarked;
