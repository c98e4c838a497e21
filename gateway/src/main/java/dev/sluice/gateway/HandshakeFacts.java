package dev.sluice.gateway;

import dev.sluice.tls.Detach;
import dev.sluice.tls.HandshakeInfo;
import org.jspecify.annotations.Nullable;

/**
 * What one handshake with a client was, once it is complete.
 *
 * @param info what the TLS library tells
 * @param host the configured name that the client's server name comes to, such as {@code *.example.com}; "" when it comes to
 *     none. Unlike the server name itself it is one of a few, whatever clients send
 * @param detached whether the connection has detached from the TLS library, and if not, why; null when that is not known
 * @param queueMicros for how long the client had to wait, its ClientHello sent, until its handshake began, in microseconds
 */
record HandshakeFacts(
        HandshakeInfo info, String host, @Nullable Detach detached, long queueMicros) {}
