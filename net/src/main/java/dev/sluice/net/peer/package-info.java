/**
 * TLS connections as a server's or a client's program sees them: the handler of each, and all that it can do.
 *
 * <p>{@link dev.sluice.net.peer.TlsHandler} is the entry: the one method that a program has to write receives bytes;
 * the others have safe defaults. {@link dev.sluice.net.peer.TlsPeer} writes, pauses and closes, and {@link
 * dev.sluice.net.peer.ConnectionFacts} describes what the handshake has negotiated. {@link
 * dev.sluice.net.peer.ReceivedBytes} is a view of a loop's buffer, valid during the call.
 *
 * <p>Failures are {@link dev.sluice.net.ConnectionFailure}s on a loop, and
 * {@link dev.sluice.net.peer.ConnectionFailedException}s elsewhere. Each connection is confined to its loop's thread,
 * but for the methods of a peer that say otherwise.
 */
@NullMarked
package dev.sluice.net.peer;

import org.jspecify.annotations.NullMarked;
