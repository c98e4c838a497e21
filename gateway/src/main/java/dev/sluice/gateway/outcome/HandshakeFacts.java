package dev.sluice.gateway.outcome;

import dev.sluice.tls.engine.Detach;
import dev.sluice.tls.engine.HandshakeInfo;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one complete handshake with a client.
 *
 * @param info the TLS library's report
 * @param host the configured name that matches the client's server name, such as {@code *.example.com}; "" when none
 *     does. Unlike the server name itself it is one of a few, whatever clients send
 * @param detached the outcome of the detach from the TLS library; null when that is not known
 * @param queueMicros the time from the ClientHello to the start of the handshake, in microseconds
 */
public record HandshakeFacts(
        HandshakeInfo info, String host, @Nullable Detach detached, long queueMicros) {}
