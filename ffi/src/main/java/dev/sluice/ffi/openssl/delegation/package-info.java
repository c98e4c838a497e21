/**
 * Handshakes whose decisions are made in Java: which certificate to present, and whether the peer's is acceptable.
 *
 * <p>{@link dev.sluice.ffi.openssl.delegation.DelegationCallbacks} passes libssl's questions to the {@link
 * dev.sluice.ffi.openssl.HandshakeCallbacks.Target} of the connection, which may suspend the handshake; {@link
 * dev.sluice.ffi.openssl.delegation.PeerOffer} reads what the peer has sent, and answers it.
 */
@NullMarked
package dev.sluice.ffi.openssl.delegation;

import org.jspecify.annotations.NullMarked;
