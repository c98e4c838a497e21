package dev.sluice.transfer.meet;

import java.net.InetSocketAddress;

/**
 * A connected stream socket to a peer that is not authenticated yet.
 *
 * @param descriptor the receiver's, who closes it or passes it on; non-blocking
 * @param path the way to the peer
 * @param address the other end: the peer's address, or the relay's; for accepted connections the peer's as it appears
 */
public record Met(int descriptor, MeetPath path, InetSocketAddress address) {}
