package dev.sluice.tls.engine;

import dev.sluice.tls.context.EarlyDataOffer;

/**
 * Accepted early data, and the handshake facts known before its end.
 *
 * @param info as {@link TlsEngine#handshakeInfo()} will return, except that the client has not proven its presence and
 *     the times are incomplete
 * @param offer the offer that the gate accepted
 */
public record EarlyData(HandshakeInfo info, EarlyDataOffer offer) {}
