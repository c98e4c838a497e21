package dev.sluice.tls;

/**
 * Early data that was taken, and what is known of the handshake before its end.
 *
 * @param info as {@link TlsEngine#handshakeInfo()} will tell, but that the client has not proven to be there, and that the
 *     handshake goes on to take time
 * @param offer what the gate agreed to
 */
public record EarlyData(HandshakeInfo info, EarlyDataOffer offer) {}
