/**
 * The connections of servers and clients, and the event loops that they own.
 *
 * <p>{@link dev.sluice.net.internal.peer.PeerConnection} stands between a {@link dev.sluice.net.TlsConnection} and a
 * {@link dev.sluice.net.peer.TlsHandler}: views of buffers, back-pressure, deadlines. {@link
 * dev.sluice.net.internal.peer.PeerLoop} is an event loop with its connections, and {@link
 * dev.sluice.net.internal.peer.LoopGroup} the loops of one server or client.
 *
 * <p>Everything but the groups is confined to a loop's thread.
 */
@NullMarked
package dev.sluice.net.internal.peer;

import org.jspecify.annotations.NullMarked;
